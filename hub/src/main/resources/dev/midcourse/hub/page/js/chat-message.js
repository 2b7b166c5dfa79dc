// One message of a chat. A message of a person opens to show why it had its effect and what became of it.

import { h, icon, text } from "./dom.js";
import { fine, moment } from "./format.js";
import { hub } from "./hub.js";
import { RUNGS } from "./story.js";
import { millis } from "./format.js";

const STATES = {
  queued: "Waits to be sent", sending: "Is being sent", sent: "Sent", unknown: "May have been sent",
  failed: "Not sent", superseded: "Replaced", dismissed: "Not sent, dismissed", skipped: "Left out",
};

export function messageRow({ message, ours }, { openRun }) {
  return ours ? sentRow(message) : receivedRow(message, openRun);
}

export function drawMessage(node, { message, ours, reaction }) {
  if (ours) drawSent(node, message);
  else drawReceived(node, message, reaction);
}

function head(who, at) {
  return h("div", { class: "message-head" },
    h("span", { class: "name" }, who), h("time", { class: "since", datetime: at }, moment(millis(at))));
}

function sentRow(message) {
  return h("li", { class: "message ours", "data-outbound": message.outbound_id },
    head("Midcourse", message.created_at),
    h("p", { class: "message-text" }),
    h("p", { class: "hint message-state" }));
}

function drawSent(node, message) {
  const reaction = message.kind === "reaction";
  text(node.querySelector(".message-text"), reaction ? `Reaction: ${message.text.replace("_", " ")}` : message.text);
  const undelivered = message.state === "failed" && message.sent_at;
  const state = undelivered ? "Sent" : STATES[message.state] ?? message.state;
  text(node.querySelector(".message-state"), message.problem ? `${state}: ${message.problem}` : state);
  node.dataset.state = message.state;
}

function receivedRow(message, openRun) {
  const body = h("div", { class: "why" });
  const details = h("details", {}, h("summary", {}, "Why"), body);
  details.addEventListener("toggle", () => details.open && load(body, message.number, openRun));
  return h("li", { class: "message", "data-message": message.number },
    head(message.sender, message.sent_at),
    h("p", { class: "message-text" }),
    h("p", { class: "message-decision" }),
    h("p", { class: "hint message-state" }),
    details);
}

function drawReceived(node, message, reaction) {
  text(node.querySelector(".message-text"), message.kind === "deletion" ? "Deleted a message" : message.text);
  const words = message.actions.map((action) => action.words).join(". ");
  text(node.querySelector(".message-decision"), words);
  text(node.querySelector(".message-state"), reaction ? `Reaction: ${reaction.replace("_", " ")}` : "");
}

async function load(body, number, openRun) {
  try {
    draw(body, await hub.why(number), openRun);
  } catch (error) {
    body.replaceChildren(h("p", { class: "wrong" }, error.message));
  }
}

function draw(body, { message, runs, steers, answers }, openRun) {
  const gates = h("ul", { class: "gates" }, ...message.gates.map(gateRow));
  body.replaceChildren(
    h("h3", {}, `Gates of message ${message.number}`),
    message.gates.length > 0 ? gates : h("p", { class: "hint" }, "No gate was asked."),
    ...(runs.length > 0 ? [h("h3", {}, "Runs"), h("ul", {}, ...runs.map((run) => runRow(run, openRun)))] : []),
    ...steers.flatMap((steer) => [h("h3", {}, `Receipt: ${steer.ended ?? steer.rung}`), receipt(steer)]),
    ...(answers.length > 0 ? [h("h3", {}, "Answers"), h("ul", {}, ...answers.map(answerRow))] : []));
}

function gateRow({ gate, passed, worker, reason }) {
  return h("li", { "data-passed": passed ? "yes" : "no" },
    icon(passed ? "done" : "failed"),
    h("span", {}, h("b", {}, gate.replace("_", " ")), h("span", { class: "unseen" }, passed ? " passed: " : " not passed: "),
      ` ${worker ? `${worker}: ` : ""}${reason}`));
}

function runRow(run, openRun) {
  const click = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openRun(run.run_id);
  };
  return h("li", {},
    h("a", { href: `/runs/${encodeURIComponent(run.run_id)}`, on: { click } }, run.run_id), ` ${run.state.replace("_", " ")}`);
}

function receipt(steer) {
  const claims = new Map(steer.rungs.map((claim) => [claim.rung, claim]));
  return h("ol", { class: "rungs" }, ...RUNGS.map((rung) => {
    const claim = claims.get(rung);
    return h("li", { class: "rung", "data-rung": rung, "data-claimed": claim ? "yes" : "no", title: claim?.evidence },
      h("i", {}), h("span", { class: "rung-name" }, rung),
      h("span", { class: "rung-time" }, claim ? fine(claim.after_ms ?? 0) : ""));
  }));
}

function answerRow(answer) {
  return h("li", {}, `${STATES[answer.state] ?? answer.state}: ${answer.text}`);
}
