// The view of one run: its state and banners on top, then the timeline, the tabs, and the message box with the
// receipts.

import { attempt, exact, h, icon, keyed, perFrame, show, text } from "./dom.js";
import {
  authorWords, bytes, capitalized, count, duration, isLive, millis, moment, money, needOf, standing, stateWords,
} from "./format.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { Actions } from "./actions.js";
import { changes } from "./diff-view.js";
import { toast } from "./dialogs.js";
import { prose } from "./markdown.js";
import { splitter } from "./splitter.js";
import { StoryView } from "./story-view.js";
import { SteerView } from "./steer-view.js";
import { Timeline } from "./timeline.js";

const TABS = {
  story: "Activity", answer: "Result", changes: "Changes", log: "Raw log", details: "Details", receipts: "Receipts",
};
const MAX_LOG_BYTES = 400_000;
const NARROW = matchMedia("(max-width: 720px)"); // as in the style sheets

export class RunView {
  constructor({ select, opened, back }) {
    this.timeline = new Timeline({ select });
    this.storyView = new StoryView({ select });
    this.steering = new SteerView({ select: (id) => select(this.story.steers.get(id)) });
    this.actions = new Actions({
      opened,
      openSteers: () => this.steering.openSteers(),
      tools: () => this.story.runningTools(),
    });
    this.draw = perFrame(() => this.#draw());
    this.tab = "story";
    this.selected = undefined;
    this.sign = h("span", { class: "state" });
    this.name = h("h1", { tabindex: -1 });
    this.facts = h("p", { class: "run-facts" });
    this.prompt = h("details", { class: "prompt" }, h("summary", {}), h("pre", { class: "plain" }));
    this.banners = h("div", { class: "banners" });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Run" },
      ...Object.entries(TABS).map(([name, words]) => h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": "tab-panel",
        on: { click: () => this.show(name) },
      }, words)));
    this.panel = h("div", { class: "panel", id: "tab-panel", role: "tabpanel" });
    this.body = h("div", { class: "run-body" },
      this.banners, this.timeline.node, this.#timelineSplitter(),
      h("div", { class: "tab-row" }, this.tabs, this.storyView.chipBar), this.panel);
    this.node = h("article", { class: "run" },
      h("header", { class: "run-head" },
        h("button",
          { type: "button", class: "quiet back", "aria-label": "All runs", on: { click: back } }, icon("back")),
        h("div", { class: "run-title" }, h("div", { class: "run-name" }, this.name, this.sign), this.facts),
        this.actions.node),
      this.prompt, this.body, this.#dockSplitter(), this.steering.node);
    NARROW.addEventListener("change", () => this.run && this.show(this.tab === "receipts" ? "story" : this.tab));
    this.timer = setInterval(() => this.run && isLive(this.run) && this.#drawHead(), 1_000);
  }

  #timelineSplitter() {
    return splitter({
      label: "Height of the timeline", name: "timeline-height", min: 80, max: () => window.innerHeight * 0.6,
      apply: (pixels) => this.timeline.setHeight(pixels),
      height: () => this.timeline.height(),
    });
  }

  #dockSplitter() {
    return splitter({
      label: "Height of the message box", name: "dock-height", min: 120, max: () => window.innerHeight * 0.5,
      upwards: true,
      apply: (pixels) => this.steering.node.style.setProperty("--dock", pixels === undefined ? "" : `${pixels}px`),
      height: () => this.steering.node.offsetHeight,
    });
  }

  /** Opens the confirmation for the first open ask, or the field for an answer in words. */
  answer(verdict) {
    const question = this.run && this.story?.openAsks()[0];
    if (!question) return;
    if (verdict === "deny") this.actions.confirmDeny(this.run.run_id, question);
    else if (question.askKind === "question") this.banners.querySelector(".ask .words")?.focus();
    else this.actions.confirmAllow(this.run.run_id, question);
  }

  /** Shows a run; another run than before opens with its default tab. */
  open(run, story, agents) {
    this.agents = agents;
    const other = this.story !== story;
    this.run = run;
    this.story = story;
    if (other) {
      this.attempts = undefined;
      this.selected = undefined;
      this.prompt.open = false;
      this.answered = undefined;
      this.tab = run.result && (run.state === "done" || run.state === "review_requested") ? "answer" : "story";
      this.actions.drawn = undefined;
      this.timeline.show(story, isLive(run));
      this.#drawPanel(true);
      hub.listAttempts(run.run_id).then(({ attempts }) => {
        if (this.story !== story) return;
        this.attempts = attempts;
        this.draw();
      }).catch(() => {});
      this.#draw(); // before a person can type: until then the message box belongs to the run before
    }
    this.draw();
  }

  mark(item) {
    this.selected = item;
    if (item && this.tab !== "story") this.show("story");
    this.timeline.mark(item, true);
    attempt(() => this.storyView.draw(this.story, item));
    if (item) attempt(() => this.storyView.reveal(item));
  }

  show(tab) {
    this.tab = tab;
    this.#drawPanel(true);
  }

  /** The capabilities that the agent reported in the last attempt, or else the known ones of this agent. */
  capabilities() {
    const reported = this.attempts?.findLast((attempt) => attempt.capabilities)?.capabilities;
    return reported ?? this.agents.find((agent) => agent.name === this.run.agent)?.capabilities;
  }

  #draw() {
    if (!this.run) return;
    const parts = [
      () => this.#drawHead(),
      () => this.#drawBanners(),
      () => this.timeline.show(this.story, isLive(this.run)),
      () => this.steering.draw(this.run, this.story, this.capabilities(), this.run.agent),
    ];
    for (const part of parts) attempt(part);
    this.#drawPanel(false);
  }

  #drawHead() {
    const { run } = this;
    const { word, icon: sign, tone } = standing(run);
    text(this.name, run.run_id);
    if (this.sign.dataset.word !== word) {
      this.sign.dataset.word = word;
      this.sign.dataset.tone = tone;
      this.sign.replaceChildren(icon(sign), word);
    }
    const began = run.started_at ? millis(run.started_at) : undefined;
    const took = began && duration((run.ended_at ? millis(run.ended_at) : Date.now()) - began);
    const tokens = run.spent.input_tokens + run.spent.output_tokens;
    const facts = [
      run.agent,
      run.worker === "any" ? "" : run.worker,
      took,
      run.turn > 0 ? `turn ${run.turn}` : "",
      run.attempt > 1 ? `attempt ${run.attempt}` : "",
      tokens > 0 ? `${count(run.spent.input_tokens)} tokens in, ${count(run.spent.output_tokens)} out` : "",
      money(run.spent.cost_usd),
    ].filter(Boolean);
    keyed(this.facts, facts.map((words, at) => ({ words, at })), (fact) => fact.at, () => h("span", {}),
      (node, fact) => text(node, fact.words));
    const [first, ...rest] = run.prompt.trim().split("\n");
    const more = rest.length > 0 ? ` … ${count(rest.length)} more ${rest.length === 1 ? "line" : "lines"}` : "";
    text(this.prompt.querySelector("summary"), first + more);
    text(this.prompt.querySelector("pre"), run.prompt);
    this.actions.draw(run);
  }

  /** Shows one banner for each permission request and for each state that needs attention. */
  #drawBanners() {
    const { run } = this;
    const banners = this.story.openAsks().map((ask) => ({ key: `ask-${ask.cursor}`, ask }));
    if (needOf(run)?.kind === "quiet") {
      const reason = capitalized(this.story.quiets.at(-1)?.text ?? "no activity");
      const words = `${reason}. Send a message, interrupt the agent or stop the run.`;
      banners.push({ key: `quiet-${reason}`, tone: "warn", sign: "quiet", words, dismiss: true });
    }
    if (run.state === "review_requested") {
      banners.push({ key: "review", tone: "warn", sign: "review", words: "Ready for review.", review: true });
    }
    if (run.state.startsWith("failed")) {
      const words = (run.result ?? "Failed without an error message.").slice(0, 600);
      const dismiss = Boolean(run.needs);
      banners.push({ key: `failed-${dismiss}`, tone: "bad", sign: "failed", words, restart: true, dismiss });
    }
    keyed(this.banners, banners, (banner) => banner.key, (banner) => this.#banner(banner), () => {});
  }

  #banner(banner) {
    if (banner.ask) return this.actions.askBanner(this.run.run_id, banner.ask);
    const button = (words, click, tone) => h("button", { type: "button", class: tone, on: { click } }, words);
    const review = () => [
      button("View diff", () => this.show("changes")),
      button("Request changes", () => this.actions.rework(this.run)),
      button("Accept", () => this.actions.accept(this.run), "primary"),
    ];
    const restart = () => [
      button("Raw log", () => this.show("log")),
      button("Restart", () => this.actions.restart(this.run), "primary"),
    ];
    const dismiss = () => button("Dismiss", () => this.actions.dismiss(this.run));
    const buttons = [
      ...(banner.dismiss ? [dismiss()] : []),
      ...(banner.review ? review() : banner.restart ? restart() : []),
    ];
    return h("div", { class: "banner", "data-tone": banner.tone, role: "status" },
      icon(banner.sign),
      h("p", { class: "banner-words" }, banner.words),
      buttons.length > 0 ? h("span", { class: "banner-actions" }, ...buttons) : undefined);
  }

  #drawPanel(anew) {
    const { tab } = this;
    if (attempt(() => this.#fillPanel(anew))) return;
    const words = `Error: the ${TABS[tab].toLowerCase()} of this run cannot be displayed. Other tabs may still work.`;
    this.panel.replaceChildren(h("p", { class: "wrong", role: "alert" }, words));
  }

  #fillPanel(anew) {
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === this.tab;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    show(this.storyView.chipBar, this.tab === "story");
    const { receiptsPane, node: dock } = this.steering;
    if (this.tab !== "receipts" && receiptsPane.parentNode !== dock) dock.append(receiptsPane);
    this.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
    this.panel.dataset.tab = this.tab;
    this.panel.tabIndex = this.tab === "story" ? -1 : 0; // the list of events has its own scroller
    if (this.tab === "story") {
      if (anew || this.panel.firstChild !== this.storyView.node) this.panel.replaceChildren(this.storyView.node);
      this.storyView.draw(this.story, this.selected);
    } else if (this.tab === "receipts") {
      if (anew) this.panel.replaceChildren(receiptsPane);
    } else if (this.tab === "answer") {
      this.#drawAnswer(anew);
    } else if (anew && this.tab === "changes") {
      this.#load(() => changes(this.run.run_id));
    } else if (anew && this.tab === "log") {
      this.#load(() => this.#log("out"));
    } else if (anew && this.tab === "details") {
      this.#load(() => this.#details());
    }
  }

  #drawAnswer(anew) {
    const answer = this.run.result ?? "";
    if (!anew && this.answered === answer) return;
    this.answered = answer;
    const none = isLive(this.run) ? "No result yet. The run is active." : "No result.";
    this.panel.replaceChildren(answer ? prose(answer, "answer") : h("p", { class: "nothing" }, none));
  }

  async #load(make) {
    const loading = {};
    this.loading = loading;
    const { story, tab } = this;
    this.panel.replaceChildren(h("p", { class: "nothing" }, "Loading…"));
    let nodes;
    try {
      nodes = await make();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) reportError(error);
      nodes = [h("p", { class: "wrong" }, error.message)];
    }
    if (this.story !== story || this.tab !== tab || this.loading !== loading) return;
    this.panel.replaceChildren(...nodes);
    this.panel.scrollTop = tab === "log" ? this.panel.scrollHeight : 0; // the newest output is at the end of the log
  }

  /** Shows the end of the agent's output, within MAX_LOG_BYTES. */
  async #log(stream) {
    const runId = this.run.run_id;
    const { words, size, leftOut } = await hub.getLogTail(runId, stream, MAX_LOG_BYTES);
    const choose = (name, label) => h("button", {
      type: "button", class: "chip", "aria-pressed": String(name === stream),
      on: { click: () => this.#load(() => this.#log(name)) },
    }, label);
    const save = h("button",
      { type: "button", class: "small", on: { click: () => downloadLog(runId, stream) } },
      leftOut > 0 ? `Download all (${bytes(size)})` : "Download");
    const cut = leftOut > 0
      ? h("span", { class: "hint left-out" }, `Showing the end; the first ${bytes(leftOut)} are omitted.`)
      : undefined;
    return [
      h("div", { class: "chips" },
        choose("out", "stdout"), choose("err", "stderr"), h("span", { class: "grow" }), cut, save),
      h("pre", { class: "plain log", tabindex: 0 }, words === "" ? "No output." : words),
    ];
  }

  async #details() {
    const { run } = this;
    const [{ turns }, { attempts }] = await Promise.all([hub.listTurns(run.run_id), hub.listAttempts(run.run_id)]);
    if (this.run.run_id === run.run_id) this.attempts = attempts;
    const time = (iso) => iso && moment(millis(iso));
    const facts = [
      ["Run", run.run_id],
      ["State", stateWords(run.state)],
      ["Agent", run.agent],
      ["Worker", run.worker],
      ["Directory", run.dir],
      ["Session", run.session_id],
      ["Created by", authorWords(run.author)],
      ["Created", time(run.created_at)],
      ["Started", time(run.started_at)],
      ["Ended", time(run.ended_at)],
      ["Parent run", run.parent_run_id],
      ["Input tokens", run.spent.input_tokens],
      ["Output tokens", run.spent.output_tokens],
      ["Cost", money(run.spent.cost_usd)],
    ].filter(([, value]) => value !== undefined && value !== "");
    const attemptLine = ({ attempt: number, pid, host, end_reason: reason }) =>
      `${number}: pid ${pid} on ${host}` + (reason ? `, ended: ${reason}` : "");
    const turnItem = (turn) => h("li", {},
      h("strong", {}, `${turn.turn} ${turn.how ?? "running"}`),
      h("pre", { class: "plain" }, turn.message));
    const capability = ([name, yes]) =>
      h("li", { "data-can": yes ? "yes" : "no" }, (yes ? "✓ " : "✕ ") + name.replaceAll("_", " "));
    const capabilities = Object.entries(this.capabilities() ?? {}).map(capability);
    return [h("div", { class: "details-tab" },
      h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) =>
        [h("dt", {}, name), h("dd", { class: "exact" }, exact(String(value)))])),
      h("h2", {}, "Attempts"),
      h("ul", { class: "plain-list" }, ...attempts.map((one) => h("li", {}, attemptLine(one)))),
      h("h2", {}, "Turns"),
      h("ol", { class: "plain-list" }, ...turns.map(turnItem)),
      capabilities.length > 0 ? h("h2", {}, `Capabilities of ${run.agent}`) : undefined,
      h("ul", { class: "abilities" }, ...capabilities))];
  }
}

/** Saves a log. A link cannot carry the token, so the page fetches the file first. */
async function downloadLog(runId, stream) {
  const name = `${runId}.${stream}.log`;
  try {
    const url = URL.createObjectURL(await hub.getLogBlob(runId, stream));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    toast(error.message, "bad");
  }
}
