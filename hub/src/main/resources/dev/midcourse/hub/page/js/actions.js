// The actions of a person on a run. Each dialog says the consequences before the action.

import { exact, h, icon, show } from "./dom.js";
import { isLive } from "./format.js";
import { hub } from "./hub.js";
import { askDetail } from "./ask-detail.js";
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
      ...running.map((tool) => exact(`Running tool: ${tool.tool} ${tool.text.slice(0, 160)}`)),
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
        const request = { fresh: fresh === "yes" };
        if (prompt.trim() !== "" && prompt !== run.prompt) request.prompt = prompt;
        this.opened(await hub.restartRun(run.run_id, request));
      },
    });
  }

  /** Dismisses the alarm of a run: no activity, or its failure. */
  async dismiss(run) {
    try {
      await hub.dismissAlarm(run.run_id);
    } catch (error) {
      toast(error.message, "bad");
    }
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

  /** Asks once more before an ask is allowed: the key `a` alone answers nothing. */
  confirmAllow(runId, question) {
    ask({
      title: "Allow this?",
      intro: [h("p", { class: "intro ask-question exact" }, exact(question.text)), ...askDetail(question.detail)],
      action: "Allow", yesNo: true,
      submit: () => hub.answerAsk(runId, question.ask, { answer: "allow" }),
    });
  }

  confirmDeny(runId, question) {
    ask({
      title: "Deny this?",
      intro: [h("p", { class: "intro ask-question exact" }, exact(question.text))],
      body: [field("Reason", h("input", { name: "why", placeholder: "Optional", autocomplete: "off" }),
        "The agent gets the reason.")],
      action: "Deny", tone: "danger",
      submit: ({ why }) => hub.answerAsk(runId, question.ask, denial(why)),
    });
  }

  /** An ask with its answers. Only these answer it; a steer never does. */
  askBanner(runId, question) {
    const words = question.askKind === "question";
    const title = words ? "Question: " : "Permission request: ";
    const hint = words
      ? "Waiting for your answer. Messages below do not answer it."
      : "Waiting for Allow or Deny. Messages below do not approve it.";
    return h("div", { class: "banner ask", "data-tone": "warn", role: "alert" }, icon("asks"),
      h("div", { class: "banner-body" },
        h("div", { class: "banner-words" },
          h("p", { class: "ask-question" }, h("strong", {}, title), h("span", { class: "exact" }, exact(question.text))),
          ...askDetail(question.detail)),
        h("div", { class: "banner-foot" },
          h("span", { class: "hint" }, hint),
          words ? answerForm(runId, question) : decisionForm(runId, question))));
  }
}

const denial = (why) => (why.trim() === "" ? { answer: "deny" } : { answer: "deny", why: why.trim() });

async function reply(runId, question, body) {
  try {
    await hub.answerAsk(runId, question.ask, body);
  } catch (error) {
    toast(error.message, "bad");
  }
}

function decisionForm(runId, question) {
  const why = h("input", { class: "why", placeholder: "Reason (optional)", "aria-label": "Reason", autocomplete: "off" });
  const deny = () => reply(runId, question, denial(why.value));
  const allow = () => reply(runId, question, { answer: "allow" });
  return h("form", { class: "banner-actions", on: { submit: (event) => event.preventDefault() } }, why,
    h("button", { type: "button", class: "act-deny", on: { click: deny } }, "Deny"),
    h("button", { type: "button", class: "primary act-allow", on: { click: allow } }, "Allow"));
}

function answerForm(runId, question) {
  const words = h("input",
    { class: "words", placeholder: "Answer", "aria-label": "Answer", required: true, autocomplete: "off" });
  const send = (event) => {
    event.preventDefault();
    if (words.value.trim() !== "") reply(runId, question, { answer: words.value.trim() });
  };
  return h("form", { class: "banner-actions", on: { submit: send } }, words,
    h("button", { type: "button", class: "act-deny", on: { click: () => reply(runId, question, { answer: "deny" }) } },
      "Deny"),
    h("button", { type: "submit", class: "primary act-answer" }, "Answer"));
}
