// A steer and its receipt: the stages it reached with their times, the evidence, and the possible actions.

import { h, show, text } from "./dom.js";
import { fine, millis, originName } from "./format.js";
import { hub } from "./hub.js";
import { ask, field, toast } from "./dialogs.js";
import { RUNGS, claimOf, isPending, rungOf } from "./story.js";

const MEANING = {
  stored: "Committed to the ledger",
  offered: "Written to the agent's input",
  accepted: "Acknowledged by the agent",
  injected: "Added to the session, reported by the agent",
  seen: "Contained in a model request",
  answered: "The turn that contains the message has ended",
};

export function receiptCard(steer, { select }) {
  const button = (words, tone, click, title) =>
    h("button", { type: "button", class: tone, title, on: { click } }, words);
  const rungItem = (rung) => h("li", { class: "rung", "data-rung": rung, title: MEANING[rung] },
    h("i", {}), h("span", { class: "rung-name" }, rung), h("span", { class: "rung-time" }));
  return h("li", { class: "receipt", "data-steer": steer.id },
    h("div", { class: "receipt-head" },
      button(`#${steer.seq}`, "receipt-seq", () => select(steer.id), "Show on the timeline"),
      h("span", { class: "receipt-mode" }),
      h("span", { class: "receipt-state" }),
      h("span", { class: "grow" }),
      h("span", { class: "receipt-who" })),
    h("p", { class: "receipt-text" }),
    h("ol", { class: "rungs" }, ...RUNGS.map(rungItem)),
    h("p", { class: "receipt-news", hidden: true }),
    h("div", { class: "receipt-actions" },
      button("Edit", "small act-edit", () => edit(steer)),
      button("Deliver now", "small act-promote", () => send(() => hub.promoteSteer(steer.id)),
        "Deliver now instead of after the turn"),
      button("Withdraw", "small act-withdraw", () => send(() => hub.withdrawSteer(steer.id))),
      h("details", { class: "evidence" }, h("summary", {}, "Evidence"), h("dl", { class: "facts" }))));
}

export function drawReceipt(node, steer, capabilities) {
  text(node.querySelector(".receipt-text"), steer.text);
  text(node.querySelector(".receipt-mode"), modeWords(steer));
  text(node.querySelector(".receipt-who"), originName(steer.author.origin));
  const state = steer.ended && steer.ended !== "answered" ? steer.ended : rungOf(steer);
  text(node.querySelector(".receipt-state"), state);
  node.dataset.state = steer.ended ? (steer.ended === "answered" ? "answered" : "ended") : "open";
  drawRungs(node, steer, capabilities);
  const news = newsOf(steer);
  show(node.querySelector(".receipt-news"), Boolean(news));
  text(node.querySelector(".receipt-news"), news);
  const pending = isPending(steer);
  show(node.querySelector(".act-edit"), pending);
  show(node.querySelector(".act-promote"), pending && steer.mode === "follow_up");
  show(node.querySelector(".act-withdraw"), !steer.ended && !claimOf(steer, "injected"));
  drawEvidence(node.querySelector(".evidence dl"), steer);
}

function drawRungs(node, steer, capabilities) {
  const reached = RUNGS.indexOf(rungOf(steer));
  for (const item of node.querySelectorAll(".rung")) {
    const rung = item.dataset.rung;
    const claim = claimOf(steer, rung);
    const skipped = RUNGS.indexOf(rung) < reached;
    const never = capabilities?.[`${rung}_evidence`] === false;
    const unproved = !claim && (skipped || never);
    item.dataset.claimed = claim ? "yes" : unproved ? "unproved" : "no";
    const after = claim?.afterMs === undefined ? "" : fine(claim.afterMs); // only the hub's numbers
    text(item.querySelector(".rung-time"), claim ? after : unproved ? "no proof" : "");
  }
}

function drawEvidence(list, steer) {
  const drawn = JSON.stringify([steer.rungs, steer.ended, steer.expiresAt]);
  if (list.drawn === drawn) return;
  list.drawn = drawn;
  const time = (at) => new Date(at).toISOString().slice(11, 23);
  const rows = steer.rungs.map(({ rung, at, evidence }) => [rung, `${time(at)}  ${evidence}`]);
  rows.push(["id", steer.id]);
  if (steer.expiresAt) rows.push(["expires", new Date(millis(steer.expiresAt)).toLocaleTimeString()]);
  list.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function modeWords(steer) {
  const edited = steer.edits > 0 ? ", edited" : "";
  const changed = steer.deliveredMode && steer.deliveredMode !== steer.mode;
  const delivered = changed ? ` → ${steer.deliveredMode.replace("_", "-")}` : "";
  return steer.mode.replace("_", "-") + delivered + edited;
}

function newsOf(steer) {
  if (steer.ended && steer.ended !== "answered") return `${steer.ended}: ${steer.reason || "no reason given"}`;
  if (steer.carriedTo) return `moved to ${steer.carriedTo}`;
  return steer.news ?? "";
}

async function send(request) {
  try {
    await request();
  } catch (error) {
    toast(error.message, "bad");
  }
}

function edit(steer) {
  ask({
    title: `Edit steer #${steer.seq}`,
    intro: ["The message is not delivered yet."],
    body: [field("Message", h("textarea", { name: "text", rows: 4, required: true, value: steer.text }))],
    action: "Save",
    submit: ({ text: words }) => hub.editSteer(steer.id, { text: words }),
  });
}

