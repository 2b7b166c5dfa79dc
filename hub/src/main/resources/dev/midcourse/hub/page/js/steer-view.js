// The message box and the receipts. The box shows the limits of the agent before a message is sent.

import { announce, attempt, h, icon, keyed, show, text } from "./dom.js";
import { isLive, stateWords } from "./format.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { drawReceipt, receiptCard } from "./receipt-view.js";
import { isOpen, rungOf } from "./story.js";

const MODES = {
  steer: ["Steer", "Delivered after the current tool call."],
  interrupt: ["Interrupt", "Ends the current turn, then starts a new turn with this message."],
  follow_up: ["Follow-up", "Delivered after the current turn, in the same session."],
  next: ["Next", "Added once to the next call of the agent. Starts no turn."],
};
const SEND_TIMEOUT = 60_000;

/** The unsent messages, one per run. They survive a reload of this tab. */
const drafts = {
  of: (id) => sessionStorage.getItem(`midcourse.draft.${id}`) ?? "",
  keep: (id, words) => {
    if (words === "") sessionStorage.removeItem(`midcourse.draft.${id}`);
    else attempt(() => sessionStorage.setItem(`midcourse.draft.${id}`, words));
  },
  /** Deletes the draft if it is still the message that was sent. */
  forget: (id, words) => drafts.of(id) === words && drafts.keep(id, ""),
};

export class SteerView {
  constructor({ select }) {
    this.select = select;
    this.mode = "steer";
    this.unconfirmed = new Map(); // by run: a steer that was sent and that the hub has not confirmed
    this.known = new Map();
    this.box = h("textarea", {
      id: "steer-box", rows: 2, maxlength: 65536, "aria-label": "Message to the agent",
      "aria-describedby": "mode-says agent-says", placeholder: "Message to the agent",
    });
    this.send = h("button", { type: "submit", class: "primary send" }, icon("send"), h("span", {}, "Send"));
    const choose = (mode) => h("input", {
      type: "radio", name: "mode", value: mode, checked: mode === "steer", on: { change: () => this.#choose(mode) },
    });
    this.modes = h("div", { class: "modes", role: "radiogroup", "aria-label": "Delivery mode" },
      ...Object.entries(MODES).map(([mode, [name]]) =>
        h("label", { class: "mode" }, choose(mode), h("span", {}, name))));
    this.modeSays = h("p", { id: "mode-says", class: "mode-says" });
    this.agentSays = h("p", { id: "agent-says", class: "agent-says", role: "note", hidden: true });
    this.ttl = h("select", { "aria-label": "Expires if not delivered within" },
      h("option", { value: "" }, "Never expires"),
      ...["30s", "5m", "1h"].map((time) => h("option", { value: time }, `Expires in ${time}`)));
    this.thisTurn = h("input", { type: "checkbox" });
    this.strict = h("input", { type: "checkbox" });
    this.options = h("details", { class: "steer-options" }, h("summary", {}, "Options"),
      h("div", { class: "options" },
        this.ttl,
        h("label", {}, this.thisTurn, h("span", {}, "Only in the current turn")),
        h("label", {}, this.strict, h("span", {}, "Fail if this mode is unsupported"))));
    this.says = h("p", { class: "wrong", role: "alert", hidden: true });
    this.form = h("form", { class: "composer", "aria-label": "Steer" },
      h("div", { class: "composer-top" }, this.modes, this.options),
      this.agentSays, this.box, this.says,
      h("div", { class: "composer-foot" }, this.modeSays, this.send));
    this.ended = h("div", { class: "composer-ended", hidden: true });
    this.receipts = h("ol", { class: "receipts" });
    this.none = h("p", { class: "nothing" });
    this.receiptsPane = h("div", { class: "dock-receipts" },
      h("h2", { class: "dock-title" }, "Receipts"), this.none, this.receipts);
    this.node = h("section", { class: "dock", "aria-label": "Steering" },
      h("div", { class: "dock-compose" }, this.form, this.ended),
      this.receiptsPane);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.form.requestSubmit();
    });
    this.box.addEventListener("input", () => this.run && drafts.keep(this.run.run_id, this.box.value));
  }

  focus() {
    this.box.focus();
  }

  #choose(mode) {
    this.mode = mode;
    this.#say();
  }

  /** Mode and options belong to one message of one run: the next message starts with the defaults. */
  #resetOptions() {
    this.mode = "steer";
    this.modes.querySelector("[value=steer]").checked = true;
    this.ttl.value = "";
    this.thisTurn.checked = false;
    this.strict.checked = false;
    this.options.open = false;
    this.#say();
  }

  draw(run, story, capabilities, agent) {
    const other = this.run?.run_id !== run.run_id;
    this.run = run;
    this.story = story;
    this.can = capabilities;
    this.agent = agent;
    if (other) {
      this.box.value = drafts.of(run.run_id);
      this.#resetOptions();
      show(this.says, false);
    }
    const live = isLive(run);
    show(this.form, live);
    show(this.ended, !live);
    if (!live) text(this.ended, endedWords(run));
    this.#say();
    const receipts = story.receipts();
    show(this.none, receipts.length === 0);
    text(this.none, live ? "No steers yet. Each message gets a receipt." : "No steers.");
    keyed(this.receipts, receipts, (steer) => steer.id,
      (steer) => receiptCard(steer, { select: this.select }),
      (node, steer) => drawReceipt(node, steer, capabilities));
    this.#announce(receipts, other);
  }

  #announce(receipts, quiet) {
    for (const steer of receipts) {
      const state = steer.ended ?? rungOf(steer);
      if (!quiet && this.known.get(steer.id) !== state) announce(`Steer ${steer.seq}: ${state}`);
      this.known.set(steer.id, state);
    }
  }

  /** Shows the meaning of the mode and the limits of the agent. */
  #say() {
    text(this.modeSays, MODES[this.mode][1]);
    const limits = limitsOf(this.mode, this.can, this.agent, this.run);
    show(this.agentSays, limits.length > 0);
    text(this.agentSays, limits.join(" "));
  }

  async #send() {
    const words = this.box.value;
    const run = this.run;
    if (this.send.disabled || words.trim() === "") return; // disabled while a message is being sent
    const request = this.#request(run, words);
    this.send.disabled = true;
    show(this.says, false);
    try {
      await this.#sendUntilConfirmed(run.run_id, request);
      this.unconfirmed.delete(run.run_id);
      drafts.forget(run.run_id, words);
      if (this.run.run_id === run.run_id) {
        if (this.box.value === words) this.box.value = "";
        this.#resetOptions();
      }
    } catch (error) {
      if (error instanceof Refused && error.status < 500) this.unconfirmed.delete(run.run_id);
      this.#complain(error.message + (error.code === "run_ended" ? " Restart the run to continue." : ""));
    } finally {
      this.send.disabled = false;
    }
  }

  /** The request for a message; the same content gets the same key until the hub has answered. */
  #request(run, words) {
    const request = { text: words, mode: this.mode };
    if (this.ttl.value) request.ttl = this.ttl.value;
    if (this.strict.checked) request.on_unsupported = "fail";
    const content = JSON.stringify([request, this.thisTurn.checked]);
    const before = this.unconfirmed.get(run.run_id);
    if (before?.content === content) return before.request;
    request.key = crypto.randomUUID();
    if (this.thisTurn.checked) request.expected_turn = run.turn;
    this.unconfirmed.set(run.run_id, { content, request });
    return request;
  }

  /** Repeats the request while the hub is unreachable. The idempotency key prevents a second steer. */
  async #sendUntilConfirmed(id, request) {
    const until = performance.now() + SEND_TIMEOUT;
    for (;;) {
      try {
        const receipt = await hub.createSteer(id, request);
        show(this.says, false);
        return receipt;
      } catch (error) {
        if (!(error instanceof Unreachable) || performance.now() > until) throw error;
        this.#complain("Disconnected. The message will be sent once when the hub answers again.");
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

/** Why the box is hidden, and the next step. */
function endedWords(run) {
  const next = {
    done: "Start a new run to continue.",
    review_requested: "Accept the result or request changes.",
  }[run.state] ?? "Restart the run to resume its session.";
  return `This run has ended (${stateWords(run.state).toLowerCase()}). Messages cannot be delivered. ${next}`;
}

/** One sentence for each limit of the agent in this mode; empty if there is none. */
function limitsOf(mode, can, agent, run) {
  const says = [];
  if (run?.state === "queued") says.push("The run is queued. The message will be delivered after the agent starts.");
  if (!can) return says;
  const delivery = can.mid_turn_steer ? "after the current tool call" : "after the current turn";
  if (mode === "steer" && !can.mid_turn_steer) {
    says.push(`${agent} cannot receive messages during a turn. The message will be delivered ${delivery}.`);
  }
  if (mode === "interrupt" && !can.interrupt) {
    says.push(`${agent} does not support interrupts. The message will be delivered ${delivery}.`);
  }
  if (mode === "interrupt" && can.interrupt && !can.interrupt_ends_tools) {
    says.push(`${agent} may not end the running tool.`);
  }
  if (mode !== "next" && !can.injected_evidence) {
    says.push(`${agent} does not report when a message is in the session. The receipt will show no proof for it.`);
  }
  return says;
}
