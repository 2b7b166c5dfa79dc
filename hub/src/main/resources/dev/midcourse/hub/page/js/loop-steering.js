// The message box of a loop. It says where the message will go before it is sent.

import { attempt, h, icon, keyed, show, text } from "./dom.js";
import { originName } from "./format.js";
import { Refused, hub } from "./hub.js";
import { toast } from "./dialogs.js";
import { hasEnded } from "./loops.js";

const SCOPES = {
  now: ["Now", "Into the running turn; while the loop waits, held for the next call that changes the code."],
  next: ["Next call", "Once, for the next call that changes the code."],
  fix: ["Next fix", "Once, for the next fix."],
  review: ["Next review", "Once, for the next review by an agent."],
  standing: ["Standing", "For every call from the next on, until you withdraw it."],
};

const drafts = {
  of: (id) => sessionStorage.getItem(`midcourse.draft.loop.${id}`) ?? "",
  keep: (id, words) => {
    if (words === "") sessionStorage.removeItem(`midcourse.draft.loop.${id}`);
    else attempt(() => sessionStorage.setItem(`midcourse.draft.loop.${id}`, words));
  },
};

export class LoopSteering {
  constructor({ changed, openRun }) {
    this.changed = changed;
    this.openRun = openRun;
    this.scope = "now";
    this.unconfirmed = undefined; // a message that was sent and that the hub has not confirmed
    this.box = h("textarea", {
      id: "loop-box", rows: 2, maxlength: 65536, "aria-label": "Message to the loop",
      "aria-describedby": "loop-destination loop-scope-says", placeholder: "Message to the loop",
    });
    this.send = h("button", { type: "submit", class: "primary send" }, icon("send"), h("span", {}, "Send"));
    const choose = (scope) => h("input", {
      type: "radio", name: "scope", value: scope, checked: scope === "now", on: { change: () => this.#choose(scope) },
    });
    this.scopes = h("div", { class: "modes", role: "radiogroup", "aria-label": "For which call" },
      ...Object.entries(SCOPES).map(([scope, [name]]) =>
        h("label", { class: "mode" }, choose(scope), h("span", {}, name))));
    this.destination = h("strong", { id: "loop-destination", class: "destination", role: "status" });
    this.scopeSays = h("span", { id: "loop-scope-says" });
    this.says = h("p", { class: "wrong", role: "alert", hidden: true });
    this.form = h("form", { class: "composer", "aria-label": "Steer the loop" },
      h("div", { class: "composer-top" }, this.scopes),
      this.box, this.says,
      h("div", { class: "composer-foot" },
        h("p", { class: "mode-says" }, this.destination, " ", this.scopeSays), this.send));
    this.ended = h("div", { class: "composer-ended", hidden: true });
    this.none = h("p", { class: "nothing" }, "No steers yet.");
    this.steers = h("ol", { class: "receipts" });
    this.node = h("section", { class: "dock loop-dock", "aria-label": "Steering" },
      h("div", { class: "dock-compose" }, this.form, this.ended),
      h("div", { class: "dock-receipts", tabindex: 0, role: "region", "aria-label": "Steers" },
        h("h2", { class: "dock-title" }, "Steers"), this.none, this.steers));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.form.requestSubmit();
    });
    this.box.addEventListener("input", () => this.id && drafts.keep(this.id, this.box.value));
  }

  focus() {
    this.box.focus();
  }

  #choose(scope) {
    this.scope = scope;
    this.#say();
  }

  draw({ loop }) {
    if (this.id !== loop.loop_id) {
      this.id = loop.loop_id;
      this.box.value = drafts.of(this.id);
      this.scope = "now";
      this.scopes.querySelector("[value=now]").checked = true;
      show(this.says, false);
    }
    this.goesTo = loop.destinations;
    const ended = hasEnded(loop);
    show(this.form, !ended);
    show(this.ended, ended);
    text(this.ended, ended ? `This loop is ${loop.phase}. Restart it to steer it.` : "");
    this.#say();
    const steers = [...loop.steers].reverse();
    show(this.none, steers.length === 0);
    keyed(this.steers, steers, (it) => it.steer_id, (it) => this.#item(it), (node, it) => this.#drawItem(node, it));
  }

  #say() {
    const destination = this.goesTo?.[this.scope] ?? "";
    text(this.destination, destination ? `Destination: ${destination}.` : "");
    text(this.scopeSays, SCOPES[this.scope][1]);
  }

  #item({ steer_id: id }) {
    const withdraw = async () => {
      try {
        this.changed(await hub.withdrawLoopSteer(this.id, id));
      } catch (error) {
        toast(error.message, "bad");
      }
    };
    return h("li", { class: "receipt", "data-steer": id },
      h("div", { class: "receipt-head" },
        h("span", { class: "receipt-mode" }), h("span", { class: "grow" }), h("span", { class: "receipt-who" })),
      h("p", { class: "receipt-text" }),
      h("p", { class: "receipt-news" }),
      h("div", { class: "receipt-actions" },
        h("span", { class: "given" }),
        h("button", { type: "button", class: "small act-withdraw", on: { click: withdraw } }, "Withdraw")));
  }

  #drawItem(node, steer) {
    const held = /^(held|to the running)/.test(steer.state);
    text(node.querySelector(".receipt-mode"), SCOPES[steer.scope]?.[0] ?? steer.scope);
    text(node.querySelector(".receipt-who"), originName(steer.author.origin));
    text(node.querySelector(".receipt-text"), steer.text);
    text(node.querySelector(".receipt-news"), steer.state);
    show(node.querySelector(".act-withdraw"), held);
    keyed(node.querySelector(".given"), steer.given, (it) => it.run_id, (it) => h("a", {
      href: `/runs/${encodeURIComponent(it.run_id)}`,
      on: {
        click: (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          this.openRun(it.run_id);
        },
      },
    }, `Receipt in ${it.kind}`), () => {});
  }

  async #send() {
    const words = this.box.value;
    const { id, scope } = this;
    if (this.send.disabled || words.trim() === "") return; // disabled while a message is being sent
    const content = JSON.stringify([id, scope, words]);
    if (this.unconfirmed?.content !== content) this.unconfirmed = { content, key: crypto.randomUUID() };
    this.send.disabled = true;
    show(this.says, false);
    try {
      const loop = await hub.steerLoop(id, { text: words, scope, key: this.unconfirmed.key });
      this.unconfirmed = undefined;
      if (drafts.of(id) === words) drafts.keep(id, "");
      if (this.id === id && this.box.value === words) this.box.value = "";
      this.changed(loop);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) this.unconfirmed = undefined;
      text(this.says, error.message);
      show(this.says, true);
    } finally {
      this.send.disabled = false;
    }
  }
}
