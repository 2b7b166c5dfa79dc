// What waits for a decision in chats: senders and chats to be let in, and messages that were not sent.

import { exact, h, icon, text } from "./dom.js";
import { ago, millis } from "./format.js";
import { ask, field, toast } from "./dialogs.js";
import { hub } from "./hub.js";

const since = (iso) => `${ago(Date.now() - millis(iso))} ago`;

/** Sends a decision, tells the result, and loads again, also after an error. */
async function decide(node, request, words, reload) {
  for (const button of node.querySelectorAll("button")) button.disabled = true;
  try {
    const answer = await request();
    toast(answer.words ?? words, answer.counted === false ? "bad" : "ok");
  } catch (error) {
    toast(error.message, "bad");
  } finally {
    for (const button of node.querySelectorAll("button")) button.disabled = false;
    reload();
  }
}

/** A sender or a chat that waits to be let in, with a button for each decision. */
export function approvalCard(approval, { reload }) {
  const send = (body) => decide(node, () => hub.decideApproval(approval.approval_id, body), "Decided", reload);
  const button = (words, tone, click) => h("button", { type: "button", class: `small ${tone}`, on: { click } }, words);
  const sender = approval.kind === "unknown_sender";
  const buttons = sender
    ? [button("Allow", "primary", () => send({ decision: "allow" })), button("Deny", "", () => send({ decision: "deny" }))]
    : [
      ...approval.workers.map((worker) => button(worker, "primary", () => send({ decision: "wire", worker }))),
      ...(approval.can_create ? [button("Create new", "", () => createWorker(approval, reload))] : []),
      button("Ignore", "", () => send({ decision: "deny" })),
    ];
  const title = sender
    ? `${approval.sender_name} wants to talk in ${approval.chat}`
    : `${approval.sender_name} writes in ${approval.chat}, which has no worker. Which one takes it?`;
  const node = h("li", { class: "chat-card", "data-approval": approval.approval_id },
    icon(sender ? "asks" : "link"),
    h("div", { class: "card-main" },
      h("h3", {}, title),
      h("p", { class: "card-quote exact" }, exact(approval.text)),
      h("p", { class: "hint" }),
      h("div", { class: "card-actions", role: "group", "aria-label": title }, ...buttons)));
  return node;
}

export function drawApproval(node, approval) {
  text(node.querySelector(".hint"), [
    approval.sender ?? "no account", `asked ${since(approval.created_at)}`,
    approval.approver ? `${approval.approver} was asked in a chat` : "nobody could be asked in a chat",
  ].join(" · "));
}

function createWorker(approval, reload) {
  ask({
    title: "Create a worker",
    intro: [`It takes the messages of ${approval.chat}.`],
    body: [field("Name", h("input", { name: "worker", required: true, autocomplete: "off", spellcheck: "false" }),
      "Letters, digits, '_' and '-'")],
    action: "Create",
    submit: async ({ worker }) => {
      const { words } = await hub.decideApproval(approval.approval_id, { decision: "create", worker: worker.trim() });
      toast(words, "ok");
      reload();
    },
  });
}

function unsentTitle(message) {
  if (message.state === "unknown") return "A message may not have been sent";
  return message.sent_at ? "A message was not delivered" : "A message was not sent";
}

/** A message that was not sent or not delivered, or of which that is not known. */
export function unsentCard(message, { reload }) {
  const button = (words, tone, click) => h("button", { type: "button", class: `small ${tone}`, on: { click } }, words);
  const retry = () => decide(node, () => hub.retryOutbound(message.outbound_id), "Queued to be sent again", reload);
  const dismiss = () => decide(node, () => hub.dismissOutbound(message.outbound_id), "Dismissed", reload);
  const node = h("li", { class: "chat-card", "data-tone": "bad", "data-outbound": message.outbound_id },
    icon("warn"),
    h("div", { class: "card-main" },
      h("h3", {}, unsentTitle(message)),
      h("p", { class: "card-quote" }, message.text),
      h("p", { class: "hint" }),
      h("div", { class: "card-actions", role: "group", "aria-label": `Message ${message.outbound_id}` },
        button("Send again", "", retry), button("Dismiss", "", dismiss))));
  return node;
}

export function drawUnsent(node, message) {
  const where = `${message.channel}:${message.platform_chat}`;
  const why = message.problem ?? "no reason known";
  text(node.querySelector(".hint"), `${where} · ${why} · ${since(message.created_at)}`);
}
