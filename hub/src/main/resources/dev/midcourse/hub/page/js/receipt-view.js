// A steer and its receipt: the rungs it has climbed, each with its time; the evidence on demand; and what can
// still be done about it.

import { h, show, text } from "./dom.js";
import { duration, millis } from "./format.js";
import { hub } from "./hub.js";
import { ask, field, toast } from "./dialogs.js";
import { RUNGS, claimOf, isPending, rungOf } from "./story.js";

const MEANING = {
  stored: "committed to the ledger", offered: "written to the agent's input", accepted: "the agent says that it holds it",
  injected: "the agent shows it in the conversation", seen: "it was in a model request", answered: "the turn that had it has ended",
};

export function receiptCard(steer, { select }) {
  const node = h("li", { class: "receipt", "data-steer": steer.id },
    h("div", { class: "receipt-head" },
      h("button", { type: "button", class: "receipt-seq", title: "Show it on the timeline", on: { click: () => select(steer.id) } }, `#${steer.seq}`),
      h("span", { class: "receipt-mode" }), h("span", { class: "receipt-state" }), h("span", { class: "grow" }), h("span", { class: "receipt-who" })),
    h("p", { class: "receipt-text" }),
    h("ol", { class: "rungs" }, ...RUNGS.map((rung) => h("li", { class: "rung", "data-rung": rung, title: MEANING[rung] }, h("i", {}), h("span", { class: "rung-name" }, rung), h("span", { class: "rung-time" })))),
    h("p", { class: "receipt-news", hidden: true }),
    h("div", { class: "receipt-actions" },
      h("button", { type: "button", class: "small act-edit", on: { click: () => edit(steer) } }, "Edit"),
      h("button", { type: "button", class: "small act-promote", title: "Tell it now instead of after the turn", on: { click: () => tell(steer, "promote") } }, "Now"),
      h("button", { type: "button", class: "small act-withdraw", on: { click: () => tell(steer, "withdraw", {}) } }, "Withdraw"),
      h("details", { class: "evidence" }, h("summary", {}, "Evidence"), h("dl", { class: "facts" }))));
  return node;
}

export function drawReceipt(node, steer, capabilities) {
  text(node.querySelector(".receipt-text"), steer.text);
  text(node.querySelector(".receipt-mode"), modeWords(steer));
  text(node.querySelector(".receipt-who"), `${steer.author.origin}`);
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
  let before = steer.at;
  for (const item of node.querySelectorAll(".rung")) {
    const rung = item.dataset.rung;
    const claim = claimOf(steer, rung);
    const skipped = !claim && RUNGS.indexOf(rung) < reached;
    const never = !claim && ((rung === "accepted" && capabilities?.accepted_evidence === false) || (rung === "injected" && capabilities?.injected_evidence === false));
    item.dataset.claimed = claim ? "yes" : skipped || never ? "unproved" : "no";
    text(item.querySelector(".rung-time"), claim ? (rung === "stored" ? "0 ms" : `+${duration(claim.at - before)}`) : skipped || never ? "no proof" : "");
    if (claim) before = claim.at;
  }
}

function drawEvidence(list, steer) {
  if (Number(list.dataset.rungs) === steer.rungs.length && list.dataset.ended === (steer.ended ?? "")) return;
  list.dataset.rungs = steer.rungs.length;
  list.dataset.ended = steer.ended ?? "";
  const rows = steer.rungs.map(({ rung, at, evidence }) => [rung, `${new Date(at).toISOString().slice(11, 23)}  ${evidence}`]);
  rows.push(["id", steer.id]);
  if (steer.expiresAt) rows.push(["expires", new Date(millis(steer.expiresAt)).toLocaleTimeString()]);
  list.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

function modeWords(steer) {
  const edited = steer.edits > 0 ? ", edited" : "";
  const delivered = steer.deliveredMode && steer.deliveredMode !== steer.mode ? ` → ${steer.deliveredMode.replace("_", " ")}` : "";
  return steer.mode.replace("_", " ") + delivered + edited;
}

function newsOf(steer) {
  if (steer.ended && steer.ended !== "answered") return `${steer.ended}: ${steer.reason || "no reason given"}`;
  if (steer.carriedTo) return `carried to ${steer.carriedTo}`;
  return steer.news ?? "";
}

async function tell(steer, what, body) {
  try {
    await hub.steer(steer.id, what, body);
  } catch (error) {
    toast(error.message, "bad");
  }
}

function edit(steer) {
  ask({
    title: `Edit steer #${steer.seq}`,
    intro: ["The agent does not have it yet."],
    body: [field("What to tell the agent instead", h("textarea", { name: "text", rows: 4, required: true, value: steer.text }))],
    action: "Save",
    submit: ({ text: words }) => hub.patch(`/steers/${encodeURIComponent(steer.id)}`, { text: words }),
  });
}

