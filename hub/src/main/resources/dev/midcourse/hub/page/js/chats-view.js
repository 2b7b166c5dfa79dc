// The view of chats: what waits for a decision, the list of chats with their wirings, and one chat with its messages.

import { h, icon, keyed, show, text } from "./dom.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { approvalCard, drawApproval, drawUnsent, unsentCard } from "./chat-waiting.js";
import { drawMessage, messageRow } from "./chat-message.js";
import { millis } from "./format.js";
import { toast } from "./dialogs.js";

const REFRESH_INTERVAL = 5_000;
const POLICIES = {
  strict: "Messages of unknown senders are dropped",
  request_approval: "Unknown senders need an approval",
  public: "Everybody may talk here",
};

export class ChatsView {
  constructor({ open, openRun, back }) {
    this.handlers = { open, openRun, reload: () => this.load() };
    this.id = undefined;
    this.shown = false;
    this.loading = undefined;
    this.title = h("h1", { tabindex: -1 }, "Chats");
    this.facts = h("p", { class: "run-facts" });
    this.approvals = h("ul", { class: "chat-cards" });
    this.unsent = h("ul", { class: "chat-cards" });
    this.waiting = h("section", { class: "chat-part", hidden: true, "aria-labelledby": "chats-waiting" },
      h("h2", { id: "chats-waiting" }, "Needs a decision"), this.approvals, this.unsent);
    this.chats = h("ul", { class: "chat-list" });
    this.none = h("p", { class: "nothing" });
    this.all = h("section", { class: "chat-part", "aria-labelledby": "chats-all" },
      h("h2", { id: "chats-all" }, "All chats"), this.chats, this.none);
    this.wirings = h("ul", { class: "wirings" });
    this.messages = h("ol", { class: "chat-messages", reversed: true });
    this.older = h("button",
      { type: "button", class: "small older", hidden: true, on: { click: () => this.#loadOlder() } }, "Load older messages");
    this.empty = h("p", { class: "nothing" }, "No messages.");
    this.one = h("section", { class: "chat-part", hidden: true, "aria-labelledby": "chat-messages" },
      h("h2", {}, "Wirings"), this.wirings,
      h("h2", { id: "chat-messages" }, "Messages, newest first"), this.messages, this.empty, this.older);
    this.node = h("article", { class: "chats" },
      h("header", { class: "run-head" },
        h("button", {
          type: "button", class: "quiet back-chats", "aria-label": "Back",
          on: { click: () => (this.id ? open(undefined) : back()) },
        }, icon("back")),
        h("div", { class: "run-title" }, h("div", { class: "run-name" }, this.title), this.facts)),
      h("div", { class: "chats-body", tabindex: 0, role: "region", "aria-label": "Chats" },
        this.waiting, this.all, this.one));
    setInterval(() => this.shown && !document.hidden && this.load(), REFRESH_INTERVAL);
  }

  /** Shows a chat, or the list if the id is undefined. */
  open(id) {
    const fresh = !this.shown || this.id !== id;
    this.shown = true;
    this.id = id;
    if (!fresh) return;
    this.more = [];
    show(this.all, !id);
    show(this.one, Boolean(id));
    text(this.title, id ?? "Chats");
    text(this.facts, "");
    keyed(this.messages, [], (item) => item.key, () => undefined, () => {});
    this.load();
  }

  close() {
    this.shown = false;
  }

  /** A change that the hub recorded, or news of a run, may concern what is shown. */
  take(event) {
    if (!this.shown || this.soon) return;
    if (event.run_id !== "none" && !event.kind.startsWith("steer_") && event.kind !== "run_ended") return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      if (this.shown) this.load();
    }, 300);
  }

  /** Loads and draws; one request at a time. */
  load() {
    this.loading ??= this.#load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  async #load() {
    const { id } = this;
    try {
      const [{ approvals }, { outbox }, shown] = await Promise.all([
        hub.listApprovals(), hub.listOutbox(), id ? hub.getChatLog(id) : hub.listChats(),
      ]);
      if (id !== this.id) {
        setTimeout(() => this.load());
        return;
      }
      if (id) this.#drawChat(shown, approvals, outbox);
      else this.#drawList(shown.chats, approvals, outbox);
    } catch (error) {
      if (error instanceof Refused && error.status === 404 && id === this.id) text(this.facts, "There is no such chat.");
      else if (error instanceof Refused) toast(error.message, "bad");
      else if (!(error instanceof Unreachable)) throw error;
    }
  }

  #drawWaiting(approvals, outbox) {
    keyed(this.approvals, approvals, (it) => it.approval_id, (it) => approvalCard(it, this.handlers), drawApproval);
    keyed(this.unsent, outbox, (it) => it.outbound_id, (it) => unsentCard(it, this.handlers), drawUnsent);
    show(this.waiting, approvals.length + outbox.length > 0);
  }

  #drawList(chats, approvals, outbox) {
    this.#drawWaiting(approvals, outbox);
    text(this.facts, chats.length === 1 ? "1 chat" : `${chats.length} chats`);
    show(this.none, chats.length === 0);
    text(this.none, "No chats yet. A chat is listed once somebody has written to the bot there. "
      + "Let the first owner in with midcourse people pair.");
    keyed(this.chats, chats, (chat) => chat.chat_id, (chat) => this.#chatRow(chat), drawChatRow);
  }

  #chatRow(chat) {
    const click = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.handlers.open(chat.chat_id);
    };
    return h("li", {},
      h("a", { class: "chat-row", href: `/chats/${chat.chat_id}`, "data-chat": chat.chat_id, on: { click } },
        h("span", { class: "sign" }, icon("said")),
        h("span", { class: "row-main" },
          h("span", { class: "row-head" }, h("span", { class: "name" }), h("span", { class: "since" })),
          h("span", { class: "doing" }),
          h("span", { class: "row-foot" }))));
  }

  #drawChat({ chat, received, sent, next }, approvals, outbox) {
    this.#drawWaiting(
      approvals.filter((it) => it.chat_id === chat.chat_id),
      outbox.filter((it) => it.channel === chat.channel && it.platform_chat === chat.platform_id));
    text(this.title, chat.title);
    text(this.facts, [`${chat.channel}:${chat.platform_id}`, kindWords(chat), POLICIES[chat.unknown_sender_policy]
      ?? chat.unknown_sender_policy].join(" · "));
    const wirings = chat.wirings.length > 0 ? chat.wirings : [{ wiring_id: "" }];
    keyed(this.wirings, wirings, (it) => it.wiring_id, () => h("li", {}), (node, it) => text(node, wiringWords(it)));
    this.next ??= next;
    if (this.more.length === 0) this.next = next;
    const items = [
      ...[...received, ...this.more].map((message) =>
        ({ key: `in-${message.number}`, at: message.sent_at, message, reaction: reactionOn(message, sent) })),
      ...asPeopleSee(sent).map((message) =>
        ({ key: `out-${message.outbound_id}`, at: message.created_at, message, ours: true })),
    ];
    items.sort((one, other) => millis(other.at) - millis(one.at) || other.message.number - one.message.number);
    const unique = [...new Map(items.map((item) => [item.key, item])).values()];
    keyed(this.messages, unique, (item) => item.key, (item) => messageRow(item, this.handlers), drawMessage);
    show(this.empty, unique.length === 0);
    show(this.older, this.next !== undefined);
  }

  async #loadOlder() {
    this.older.disabled = true;
    try {
      const { received, next } = await hub.getChatLog(this.id, this.next);
      this.more.push(...received);
      this.next = next;
      await this.load();
      show(this.older, next !== undefined);
    } catch (error) {
      toast(error.message, "bad");
    } finally {
      this.older.disabled = false;
    }
  }
}

/** Messages of ours as people see them: with their newest text, and without what changed other messages. */
function asPeopleSee(sent) {
  const changes = ["edit", "close_card", "reaction"];
  const troubled = (it) => it.state === "failed" || it.state === "unknown";
  const newest = new Map();
  for (const change of [...sent].sort((one, other) => one.number - other.number)) {
    if (change.kind !== "reaction" && change.state === "sent" && changes.includes(change.kind)) {
      newest.set(change.platform_id, change.text);
    }
  }
  return sent
    .filter((it) => !changes.includes(it.kind) || troubled(it))
    .map((it) => (newest.has(it.platform_id) ? { ...it, text: newest.get(it.platform_id) } : it));
}

/** The reaction of ours that a message of a person shows. */
function reactionOn(message, sent) {
  return sent
    .filter((it) => it.kind === "reaction" && it.state === "sent" && it.platform_id === message.message_id)
    .sort((one, other) => other.number - one.number)[0]?.text;
}

const kindWords = (chat) => (chat.kind === "direct" ? "Direct message" : chat.threads ? "Group with threads" : "Group");

function drawChatRow(item, chat) {
  text(item.querySelector(".name"), chat.title);
  text(item.querySelector(".since"), chat.channel);
  const workers = chat.wirings.map((wiring) => wiring.worker).join(", ");
  text(item.querySelector(".doing"), workers ? `Wired to ${workers}` : "Not wired to a worker");
  text(item.querySelector(".row-foot"), `${kindWords(chat)} · ${POLICIES[chat.unknown_sender_policy]
    ?? chat.unknown_sender_policy}`);
}

/** The rules of a wiring in one line. */
function wiringWords(wiring) {
  if (!wiring.wiring_id) return "Not wired to a worker. Wire it with midcourse wire CHAT WORKER.";
  const engages = {
    pattern: wiring.engage_pattern === "." ? "every message" : `messages that match ${wiring.engage_pattern}`,
    mention: "mentions",
    mention_sticky: "mentions, and threads with one",
  }[wiring.engage_mode] ?? wiring.engage_mode;
  const ignored = wiring.ignored_message_policy === "accumulate" ? "others are kept as context" : "others are dropped";
  const senders = wiring.sender_scope === "known" ? "by known people" : "by everybody who is admitted";
  const live =
    wiring.on_live_run === "collect"
      ? "messages to a live run are collected for the end of its turn"
      : `a reply to a live run is a ${wiring.on_live_run.replace("_", "-")}`;
  return `${wiring.worker}: ${engages} ${senders}; ${ignored}; ${live}; session ${wiring.session_mode.replace("_", " ")}`;
}
