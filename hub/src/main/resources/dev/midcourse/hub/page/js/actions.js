// The actions of a person on a run. Each dialog says the consequences before the action.

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
    const button = (words, tone, act, title) =>
      h("button", { type: "button", class: tone, title, on: { click: () => act(this.run) } }, words);
    this.stopButton = button("Stop", "danger", (run) => this.stop(run), "Stop the run (x)");
    this.restartButton = button("Restart", "", (run) => this.restart(run), "Restart the run (r)");
    this.node = h("div", { class: "run-actions" }, this.restartButton, this.stopButton);
  }

  draw(run) {
    this.run = run;
    show(this.stopButton, isLive(run));
    this.stopButton.disabled = run.stop_asked === true;
    show(this.restartButton, run.state === "stopped"); // the banner of a failed run has its own button
  }

  stop(run) {
    if (!isLive(run)) return;
    const steers = this.openSteers().length;
    const running = this.tools();
    const ends = [
      run.state === "queued" ? "The run leaves the queue." : "The agent and all processes it started.",
      ...running.map((tool) => `Running tool: ${tool.tool} ${tool.text.slice(0, 160)}`),
      steers > 0 ? `${steers} open ${steers === 1 ? "steer" : "steers"}. Each receipt shows how the steer ended.` : "",
    ].filter(Boolean);
    ask({
      title: `Stop ${run.run_id}?`,
      intro: [
        "This ends:",
        h("ul", { class: "ends" }, ...ends.map((words) => h("li", {}, words))),
        "Files in the directory are kept. The state becomes Stopped when all processes have ended.",
      ],
      action: "Stop run", tone: "danger",
      submit: () => hub.stopRun(run.run_id),
    });
  }

  restart(run) {
    if (!RETRYABLE.has(run.state)) return;
    const choice = (value, words, checked) => h("label", { class: "check" },
      h("input", { type: "radio", name: "fresh", value, checked }),
      h("span", {}, words));
    ask({
      title: `Restart ${run.run_id}`,
      body: [
        field("Prompt", h("textarea", { name: "prompt", rows: 6, value: run.prompt })),
        choice("", "Resume the session: the agent keeps its context.", true),
        choice("yes", "New session: the agent starts without context.", false),
      ],
      action: "Restart",
      submit: async ({ prompt, fresh }) => {
        const wish = { fresh: fresh === "yes" };
        if (prompt.trim() !== "" && prompt !== run.prompt) wish.prompt = prompt;
        this.opened(await hub.restartRun(run.run_id, wish));
      },
    });
  }

  accept(run) {
    ask({
      title: `Accept the result of ${run.run_id}?`,
      body: [field("Comment", h("textarea", { name: "text", rows: 2, placeholder: "Optional" }))],
      action: "Accept",
      submit: ({ text }) =>
        hub.reviewRun(run.run_id, text.trim() === "" ? { verdict: "accept" } : { verdict: "accept", text }),
    });
  }

  rework(run) {
    ask({
      title: `Request changes to ${run.run_id}`,
      intro: ["A new run continues from the result of this run."],
      body: [field("Requested changes", h("textarea", { name: "text", rows: 4, required: true }))],
      action: "Request changes",
      submit: async ({ text }) => this.opened(await hub.reviewRun(run.run_id, { verdict: "rework", text })),
    });
  }

  /** A permission request with its two answers. Only these buttons answer it; a steer never does. */
  askBanner(runId, question) {
    const reply = async (answer, why) => {
      try {
        await hub.answerAsk(runId, question.ask, why ? { answer, why } : { answer });
      } catch (error) {
        toast(error.message, "bad");
      }
    };
    const why = h("input", { class: "why", placeholder: "Reason (optional)", "aria-label": "Reason" });
    const title = question.askKind === "question" ? "Question: " : "Permission request: ";
    return h("div", { class: "banner ask", "data-tone": "warn", role: "alert" }, icon("asks"),
      h("div", { class: "banner-words" },
        h("strong", {}, title),
        h("span", {}, question.text),
        question.detail ? h("pre", { class: "plain" }, question.detail) : undefined,
        h("span", { class: "hint" }, "Waiting for Allow or Deny. Messages below do not approve it.")),
      h("span", { class: "banner-actions" }, why,
        h("button",
          { type: "button", class: "act-deny", on: { click: () => reply("deny", why.value.trim()) } }, "Deny"),
        h("button",
          { type: "button", class: "primary act-allow", on: { click: () => reply("allow") } }, "Allow")));
  }
}
