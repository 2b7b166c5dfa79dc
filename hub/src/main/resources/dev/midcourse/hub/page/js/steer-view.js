// The box to steer with, and the receipts. What the agent cannot do is said here before anything is sent.

import { announce, h, icon, keyed, show, text } from "./dom.js";
import { isLive } from "./format.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { drawReceipt, receiptCard } from "./receipt-view.js";
import { isOpen, rungOf } from "./story.js";

const MODES = {
  steer: ["Steer", "Take this into account as you go on: at the next boundary of the running turn."],
  interrupt: ["Interrupt", "Stop what you do now, then this: the running turn is broken off."],
  follow_up: ["Follow up", "When you are done, this: after the turn, in the same conversation."],
  next: ["Next call", "Guidance for the next call of the agent, used once."],
};
const RETRY_FOR = 60_000;

export class SteerView {
  constructor({ select }) {
    this.select = select;
    this.mode = "steer";
    this.drafts = new Map();
    this.unheard = new Map(); // by run: a steer that was sent, and nobody knows whether it has arrived
    this.known = new Map();
    this.box = h("textarea", { id: "steer-box", rows: 2, maxlength: 65536, "aria-label": "Tell the agent", "aria-describedby": "mode-says agent-says", placeholder: "Tell the agent…" });
    this.send = h("button", { type: "submit", class: "primary send" }, icon("send"), h("span", {}, "Send"));
    this.modes = h("div", { class: "modes", role: "radiogroup", "aria-label": "When and how it is told" },
      ...Object.entries(MODES).map(([mode, [name]]) => h("label", { class: "mode" },
        h("input", { type: "radio", name: "mode", value: mode, checked: mode === "steer", on: { change: () => this.#choose(mode) } }), h("span", {}, name))));
    this.modeSays = h("p", { id: "mode-says", class: "mode-says" });
    this.agentSays = h("p", { id: "agent-says", class: "agent-says", role: "note", hidden: true });
    this.ttl = h("select", { "aria-label": "Forget it when it could not be told within" }, h("option", { value: "" }, "never expires"), ...["30s", "5m", "1h"].map((time) => h("option", { value: time }, `expires in ${time}`)));
    this.thisTurn = h("input", { type: "checkbox" });
    this.strict = h("input", { type: "checkbox" });
    this.options = h("details", { class: "steer-options" }, h("summary", {}, "Options"),
      h("div", { class: "options" }, this.ttl, h("label", {}, this.thisTurn, " only in the running turn"), h("label", {}, this.strict, " refuse rather than degrade")));
    this.says = h("p", { class: "wrong", role: "alert", hidden: true });
    this.form = h("form", { class: "composer", "aria-label": "Steer" }, h("div", { class: "composer-top" }, this.modes, this.options), this.agentSays, this.box, this.says,
      h("div", { class: "composer-foot" }, this.modeSays, this.send));
    this.ended = h("div", { class: "composer-ended", hidden: true });
    this.receipts = h("ol", { class: "receipts" });
    this.none = h("p", { class: "nothing" });
    this.node = h("section", { class: "dock", "aria-label": "Steering" },
      h("div", { class: "dock-compose" }, this.form, this.ended),
      h("div", { class: "dock-receipts" }, h("h2", { class: "dock-title" }, "Receipts"), this.none, this.receipts));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.form.requestSubmit();
    });
    this.box.addEventListener("input", () => this.run && this.drafts.set(this.run.run_id, this.box.value));
  }

  focus() {
    this.box.focus();
  }

  #choose(mode) {
    this.mode = mode;
    this.#say();
  }

  draw(run, story, capabilities, agent) {
    const other = this.run?.run_id !== run.run_id;
    this.run = run;
    this.story = story;
    this.can = capabilities;
    this.agent = agent;
    if (other) {
      this.box.value = this.drafts.get(run.run_id) ?? "";
      show(this.says, false);
    }
    const live = isLive(run);
    show(this.form, live);
    show(this.ended, !live);
    if (!live) text(this.ended, endedWords(run));
    this.#say();
    const receipts = story.receipts();
    show(this.none, receipts.length === 0);
    text(this.none, live ? "No steers yet. What you send appears here, and climbs its rungs as you look." : "It was not steered.");
    keyed(this.receipts, receipts, (steer) => steer.id, (steer) => receiptCard(steer, { select: this.select }), (node, steer) => drawReceipt(node, steer, capabilities));
    this.#announce(receipts, other);
  }

  #announce(receipts, quiet) {
    for (const steer of receipts) {
      const state = steer.ended ?? rungOf(steer);
      if (!quiet && this.known.get(steer.id) !== state) announce(`Steer ${steer.seq} is ${state}`);
      this.known.set(steer.id, state);
    }
  }

  /** What the mode means, and what this agent makes of it. */
  #say() {
    text(this.modeSays, MODES[this.mode][1]);
    const limits = limitsOf(this.mode, this.can, this.agent, this.run);
    show(this.agentSays, limits.length > 0);
    text(this.agentSays, limits.join(" "));
  }

  async #send() {
    const words = this.box.value;
    const run = this.run;
    if (this.send.disabled || words.trim() === "") return; // under way already: two would clear each other's words
    const wish = this.#wish(run, words);
    this.send.disabled = true;
    show(this.says, false);
    try {
      await this.#untilHeard(run.run_id, wish);
      this.unheard.delete(run.run_id);
      if (this.run.run_id === run.run_id && this.box.value === words) this.box.value = "";
      this.drafts.delete(run.run_id);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) this.unheard.delete(run.run_id);
      this.#complain(error.message + (error.code === "run_ended" ? " Restart it to go on." : ""));
    } finally {
      this.send.disabled = false;
    }
  }

  /** Sent again, the same words are the same steer, until the hub has answered. */
  #wish(run, words) {
    const wish = { text: words, mode: this.mode };
    if (this.ttl.value) wish.ttl = this.ttl.value;
    if (this.strict.checked) wish.on_unsupported = "fail";
    const content = JSON.stringify([wish, this.thisTurn.checked]);
    const before = this.unheard.get(run.run_id);
    if (before?.content === content) return before.wish;
    wish.key = crypto.randomUUID();
    if (this.thisTurn.checked) wish.expected_turn = run.turn;
    this.unheard.set(run.run_id, { content, wish });
    return wish;
  }

  /** The key makes a repeated request the same request, so a hub that is away may be asked again. */
  async #untilHeard(id, wish) {
    const until = performance.now() + RETRY_FOR;
    for (;;) {
      try {
        const receipt = await hub.tell(id, "steers", wish);
        show(this.says, false);
        return receipt;
      } catch (error) {
        if (!(error instanceof Unreachable) || performance.now() > until) throw error;
        this.#complain("The hub does not answer. It is sent as soon as the hub is back, once.");
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
    }
  }

  #complain(words) {
    text(this.says, words);
    show(this.says, true);
  }

  openSteers() {
    return this.story?.receipts().filter(isOpen) ?? [];
  }
}

/** There is nobody to tell; what can be done instead. */
function endedWords(run) {
  const instead = { done: "Start a new run to go on.", review_requested: "Accept the work, or have it reworked." }[run.state] ?? "Restart it to go on in its conversation.";
  return `This run has ended (${run.state.replace("_", " ")}): there is no agent to steer. ${instead}`;
}

/** What the agent cannot do of this, in sentences; nothing when it can do all of it. */
function limitsOf(mode, can, agent, run) {
  const says = [];
  if (run?.state === "queued") says.push("The run is still queued: it is told when its agent is up.");
  if (!can) return says;
  if (mode === "steer" && !can.mid_turn_steer) says.push(`${agent} takes nothing into a running turn: it is told when the turn ends.`);
  if (mode === "interrupt" && !can.interrupt) says.push(`${agent} cannot be interrupted: ${can.mid_turn_steer ? "it is told at the next boundary" : "it is told when the turn ends"} instead.`);
  if (mode === "interrupt" && can.interrupt && !can.interrupt_ends_tools) says.push(`A tool that ${agent} is running may run on.`);
  if (mode !== "next" && !can.injected_evidence) says.push(`${agent} gives no proof that a message is in the conversation: the receipt will say so.`);
  return says;
}
