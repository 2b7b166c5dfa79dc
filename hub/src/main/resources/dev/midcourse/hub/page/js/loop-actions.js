// The actions of a person on a loop. Each dialog says the consequences before the action.

import { h, show } from "./dom.js";
import { ask, field, toast } from "./dialogs.js";
import { hub } from "./hub.js";
import { hasEnded } from "./loops.js";

const MORE = 3; // proposed when a budget is used up

export class LoopActions {
  constructor({ changed }) {
    this.changed = changed;
    this.loop = undefined;
    const button = (name, words, tone, act, title) => h("button",
      { type: "button", class: tone, title, "data-act": name, on: { click: () => act(this.loop) } }, words);
    this.buttons = {
      skip: button("skip", "Skip wait", "", (loop) => this.skip(loop)),
      land: button("land", "Land", "", (loop) => this.land(loop)),
      pause: button("pause", "Pause", "", (loop) => this.#send(() => hub.pauseLoop(loop.loop_id))),
      restart: button("restart", "Restart", "", (loop) => this.restart(loop), "Give the task a new wording (r)"),
      stop: button("stop", "Stop", "danger", (loop) => this.stop(loop), "Stop the loop (x)"),
    };
    this.node = h("div", { class: "run-actions loop-actions" }, ...Object.values(this.buttons));
  }

  draw(loop) {
    this.loop = loop;
    const parked = loop.phase === "parked";
    const missing = parked && ["unavailable", "deadline"].includes(loop.parked.reason);
    const ended = hasEnded(loop);
    show(this.buttons.skip, loop.phase === "check" || missing);
    show(this.buttons.land, !loop.land && loop.phase !== "stopped");
    show(this.buttons.pause, !ended && !parked);
    show(this.buttons.stop, !ended);
    this.buttons.land.textContent = loop.phase === "done" ? "Land" : "Land when clean";
  }

  async #send(request) {
    try {
      this.changed(await request());
    } catch (error) {
      toast(error.message, "bad");
    }
  }

  go(loop) {
    const spent = loop.parked?.reason === "budget";
    const number = (name, label, value) => field(label,
      h("input", { name, type: "number", min: 0, max: 100, value: String(value) }));
    ask({
      title: `Go on with ${loop.loop_id}?`,
      intro: [loop.parked?.question ?? ""],
      body: [h("div", { class: "columns" },
        number("fixes", "More fixes", spent ? MORE : 0), number("reviews", "More reviews", spent ? MORE : 0))],
      action: "Go on",
      submit: async ({ fixes, reviews }) =>
        this.changed(await hub.goLoop(loop.loop_id, { fixes: Number(fixes), reviews: Number(reviews) })),
    });
  }

  skip(loop) {
    const { review = "", ci = "" } = loop.check ?? {};
    const missing = [["review", review], ["CI", ci]]
      .filter(([, words]) => words === "pending" || words.startsWith("unavailable"))
      .map(([name]) => name);
    ask({
      title: "Skip the wait?",
      intro: [`Ends the wait for ${missing.join(" and ") || "what is missing"}.`,
        "The result of the loop will say that it was skipped. It does not count as clean."],
      action: "Skip wait",
      submit: async () => this.changed(await hub.skipLoop(loop.loop_id)),
    });
  }

  land(loop) {
    ask({
      title: `Land ${loop.branch} on ${loop.base}?`,
      intro: [loop.phase === "done"
        ? `${loop.base} is moved forward now. A base that has moved is merged and checked first.`
        : `${loop.base} is moved forward as soon as the loop is clean.`],
      action: "Land",
      submit: async () => this.changed(await hub.landLoop(loop.loop_id)),
    });
  }

  restart(loop) {
    const choice = (value, words, checked = false) => h("label", { class: "check" },
      h("input", { type: "radio", name: "from", value, checked }), h("span", {}, words));
    const keeps = loop.phase === "check"
      ? "The wait for review and CI goes on; the next call gets the new wording."
      : "The current work begins anew with the new wording.";
    ask({
      title: `Restart ${loop.loop_id}`,
      intro: ["Branch, findings and history stay. Every wording is kept."],
      body: [
        field("Task", h("textarea", { name: "prompt", rows: 6, required: true, value: loop.prompt })),
        choice("", keeps, true),
        choice("implement", "Begin with the implementation."),
        choice("fix", "Begin with a fix of the open findings."),
        choice("check", "Begin with a round of checks."),
      ],
      action: "Restart",
      submit: async ({ prompt, from }) =>
        this.changed(await hub.restartLoop(loop.loop_id, from ? { prompt, from } : { prompt })),
    });
  }

  stop(loop) {
    if (hasEnded(loop)) return;
    const open = loop.calls.filter((call) => !call.ended_at).map((call) => `Run ${call.run_id}.`);
    ask({
      title: `Stop ${loop.loop_id}?`,
      intro: [
        "This ends the loop and its runs:",
        h("ul", { class: "ends" }, ...(open.length > 0 ? open : ["No run is active."]).map((words) => h("li", {}, words))),
        `Branch ${loop.branch} stays.`,
      ],
      action: "Stop loop", tone: "danger",
      submit: async () => this.changed(await hub.stopLoop(loop.loop_id)),
    });
  }
}
