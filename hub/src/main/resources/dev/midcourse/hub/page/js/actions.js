// What a person can do to a run, each with what it will do said before it is done.

import { h, icon, show } from "./dom.js";
import { isLive } from "./format.js";
import { hub } from "./hub.js";
import { ask, field, toast } from "./dialogs.js";

const RETRYABLE = new Set(["failed", "failed_contract", "failed_timeout", "stopped"]);

export class Actions {
  constructor({ opened, openSteers, tools }) {
    this.opened = opened;
    this.openSteers = openSteers;
    this.tools = tools;
    this.run = undefined;
    const button = (words, tone, act, title) => h("button", { type: "button", class: tone, title, on: { click: () => act(this.run) } }, words);
    this.stopButton = button("Stop", "danger", (run) => this.stop(run), "Stop the run (x)");
    this.restartButton = button("Restart", "", (run) => this.restart(run), "Run it once more (r)");
    this.node = h("div", { class: "run-actions" }, this.restartButton, this.stopButton);
  }

  draw(run) {
    this.run = run;
    show(this.stopButton, isLive(run));
    this.stopButton.disabled = run.stop_asked === true;
    show(this.restartButton, run.state === "stopped"); // what failed says so beside its own button
  }

  stop(run) {
    if (!isLive(run)) return;
    const steers = this.openSteers().length;
    const running = this.tools();
    const ends = [
      run.state === "queued" ? "It is taken out of the queue." : "The agent, and every process it has started, wherever that has put itself.",
      ...running.map((tool) => `What it is running now: ${tool.tool} ${tool.text.slice(0, 160)}`),
      steers > 0 ? `${steers} open ${steers === 1 ? "steer" : "steers"}: each receipt will say how it ended.` : "",
    ].filter(Boolean);
    ask({
      title: `Stop ${run.run_id}?`,
      intro: ["This ends:", h("ul", { class: "ends" }, ...ends.map((words) => h("li", {}, words))), "What it has written to its folder stays. When the run is called stopped, none of its processes is alive."],
      action: "Stop it", tone: "danger",
      submit: () => hub.tell(run.run_id, "stop", {}),
    });
  }

  restart(run) {
    if (!RETRYABLE.has(run.state)) return;
    ask({
      title: `Restart ${run.run_id}`,
      body: [
        field("Prompt", h("textarea", { name: "prompt", rows: 6, value: run.prompt })),
        h("label", { class: "check" }, h("input", { type: "radio", name: "fresh", value: "", checked: true }), h("span", {}, "Go on in its conversation: it remembers what it did.")),
        h("label", { class: "check" }, h("input", { type: "radio", name: "fresh", value: "yes" }), h("span", {}, "In a new conversation: it remembers nothing.")),
      ],
      action: "Restart",
      submit: async ({ prompt, fresh }) => {
        const wish = { fresh: fresh === "yes" };
        if (prompt.trim() !== "" && prompt !== run.prompt) wish.prompt = prompt;
        this.opened(await hub.tell(run.run_id, "restart", wish));
      },
    });
  }

  accept(run) {
    ask({
      title: `Accept the work of ${run.run_id}?`,
      body: [field("A note", h("textarea", { name: "text", rows: 2, placeholder: "optional" }))],
      action: "Accept",
      submit: ({ text }) => hub.tell(run.run_id, "review", text.trim() === "" ? { verdict: "accept" } : { verdict: "accept", text }),
    });
  }

  rework(run) {
    ask({
      title: `Have ${run.run_id} reworked`,
      intro: ["A new run goes on where this one ended."],
      body: [field("What is to be reworked", h("textarea", { name: "text", rows: 4, required: true }))],
      action: "Start the rework",
      submit: async ({ text }) => this.opened(await hub.tell(run.run_id, "review", { verdict: "rework", text })),
    });
  }

  /** What the agent asks, with the two answers; the text of a steer is never one of them. */
  askBanner(runId, question) {
    const reply = async (answer, why) => {
      try {
        await hub.tell(runId, `asks/${encodeURIComponent(question.ask)}`, why ? { answer, why } : { answer });
      } catch (error) {
        toast(error.message, "bad");
      }
    };
    const why = h("input", { class: "why", placeholder: "why not (optional)", "aria-label": "Why not" });
    return h("div", { class: "banner ask", "data-tone": "warn", role: "alert" }, icon("asks"),
      h("div", { class: "banner-words" }, h("strong", {}, "The agent asks: "), h("span", {}, question.text), question.detail ? h("pre", { class: "plain" }, question.detail) : undefined,
        h("span", { class: "hint" }, "It waits until you answer. A steer is not an answer.")),
      h("span", { class: "banner-actions" }, why,
        h("button", { type: "button", class: "act-deny", on: { click: () => reply("deny", why.value.trim()) } }, "Deny"),
        h("button", { type: "button", class: "primary act-allow", on: { click: () => reply("allow") } }, "Allow")));
  }
}
