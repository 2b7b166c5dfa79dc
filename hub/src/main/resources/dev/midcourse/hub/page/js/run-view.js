// The middle: one run. What it is and what it needs on top, then its timeline, then what one wants to read of it,
// and below the box to steer it.

import { attempt, h, icon, keyed, perFrame, text } from "./dom.js";
import { bytes, count, duration, isLive, millis, moment, money, standing } from "./format.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { Actions } from "./actions.js";
import { changes } from "./diff-view.js";
import { toast } from "./dialogs.js";
import { prose } from "./markdown.js";
import { StoryView } from "./story-view.js";
import { SteerView } from "./steer-view.js";
import { Timeline } from "./timeline.js";

const TABS = { story: "Story", answer: "Answer", changes: "Changes", log: "Raw log", details: "Details" };
const LONGEST_LOG = 400_000;

export class RunView {
  constructor({ select, opened, back }) {
    this.timeline = new Timeline({ select });
    this.storyView = new StoryView({ select });
    this.steering = new SteerView({ select: (id) => select(this.story.steers.get(id)) });
    this.actions = new Actions({ opened, openSteers: () => this.steering.openSteers(), tools: () => this.story.runningTools() });
    this.draw = perFrame(() => this.#draw());
    this.tab = "story";
    this.selected = undefined;
    this.sign = h("span", { class: "state" });
    this.name = h("h1", { tabindex: -1 });
    this.facts = h("p", { class: "run-facts" });
    this.prompt = h("details", { class: "prompt" }, h("summary", {}), h("pre", { class: "plain" }));
    this.banners = h("div", { class: "banners" });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Of this run" },
      ...Object.entries(TABS).map(([name, words]) => h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": "tab-panel", on: { click: () => this.show(name) },
      }, words)));
    this.panel = h("div", { class: "panel", id: "tab-panel", role: "tabpanel" });
    this.node = h("article", { class: "run" },
      h("header", { class: "run-head" },
        h("button", { type: "button", class: "quiet back", "aria-label": "All runs", on: { click: back } }, icon("back")),
        h("div", { class: "run-title" }, h("div", { class: "run-name" }, this.name, this.sign), this.facts),
        this.actions.node),
      this.prompt, this.banners, this.timeline.node, this.tabs, this.panel, this.steering.node);
    this.timer = setInterval(() => this.run && isLive(this.run) && this.#drawHead(), 1_000);
  }

  /** Shows another run. */
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
      hub.of(run.run_id, "attempts").then(({ attempts }) => {
        this.attempts = attempts;
        this.draw();
      }).catch(() => {});
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

  /** What the agent of this run was measured to do; what it says of itself at this attempt goes before. */
  capabilities() {
    const said = this.attempts?.findLast((attempt) => attempt.capabilities)?.capabilities;
    return said ?? this.agents.find((agent) => agent.name === this.run.agent)?.capabilities;
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
      run.agent, run.worker === "any" ? "" : run.worker, took, run.turn > 0 ? `turn ${run.turn}` : "", run.attempt > 1 ? `attempt ${run.attempt}` : "",
      tokens > 0 ? `${count(run.spent.input_tokens)} tokens in, ${count(run.spent.output_tokens)} out` : "", money(run.spent.cost_usd),
    ].filter(Boolean);
    keyed(this.facts, facts.map((words, at) => ({ words, at })), (fact) => fact.at, () => h("span", {}), (node, fact) => text(node, fact.words));
    const [first, ...rest] = run.prompt.trim().split("\n");
    text(this.prompt.querySelector("summary"), first + (rest.length > 0 ? ` … ${rest.length} more lines` : ""));
    text(this.prompt.querySelector("pre"), run.prompt);
    this.actions.draw(run);
  }

  /** What needs a person stands where it cannot be missed. */
  #drawBanners() {
    const { run } = this;
    const banners = this.story.openAsks().map((ask) => ({ key: `ask-${ask.cursor}`, ask }));
    if (run.needs === "quiet") banners.push({ key: "quiet", tone: "warn", sign: "quiet", words: `The agent has gone quiet. ${this.story.quiets.at(-1)?.text ?? ""} Steer it, interrupt it, or stop it.` });
    if (run.state === "review_requested") banners.push({ key: "review", tone: "warn", sign: "review", words: "The work is done and waits for your review.", review: true });
    if (run.state.startsWith("failed")) banners.push({ key: "failed", tone: "bad", sign: "failed", words: (run.result ?? "It failed.").slice(0, 600), restart: true });
    keyed(this.banners, banners, (banner) => banner.key, (banner) => this.#banner(banner), () => {});
  }

  #banner(banner) {
    if (banner.ask) return this.actions.askBanner(this.run.run_id, banner.ask);
    return h("div", { class: "banner", "data-tone": banner.tone, role: "status" }, icon(banner.sign), h("p", { class: "banner-words" }, banner.words),
      banner.review ? h("span", { class: "banner-actions" },
        h("button", { type: "button", on: { click: () => this.show("changes") } }, "See the changes"),
        h("button", { type: "button", on: { click: () => this.actions.rework(this.run) } }, "Have it reworked"),
        h("button", { type: "button", class: "primary", on: { click: () => this.actions.accept(this.run) } }, "Accept")) : undefined,
      banner.restart ? h("span", { class: "banner-actions" },
        h("button", { type: "button", on: { click: () => this.show("log") } }, "Raw log"),
        h("button", { type: "button", class: "primary", on: { click: () => this.actions.restart(this.run) } }, "Restart")) : undefined);
  }

  #drawPanel(anew) {
    const { tab } = this;
    if (attempt(() => this.#fillPanel(anew))) return;
    this.panel.replaceChildren(h("p", { class: "wrong", role: "alert" }, `This page cannot show the ${TABS[tab].toLowerCase()} of this run. The other tabs may still do.`));
  }

  #fillPanel(anew) {
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === this.tab;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${this.tab}`);
    this.panel.dataset.tab = this.tab;
    if (this.tab === "story") {
      if (anew || this.panel.firstChild !== this.storyView.node) this.panel.replaceChildren(this.storyView.node);
      this.storyView.draw(this.story, this.selected);
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
    const none = isLive(this.run) ? "The agent is still at work; its answer will be here." : "It left no answer.";
    this.panel.replaceChildren(answer ? prose(answer, "answer") : h("p", { class: "nothing" }, none));
  }

  async #load(make) {
    const { run, tab } = this;
    this.panel.replaceChildren(h("p", { class: "nothing" }, "Loading…"));
    let nodes;
    try {
      nodes = await make();
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) reportError(error);
      nodes = [h("p", { class: "wrong" }, error.message)];
    }
    if (this.run.run_id === run.run_id && this.tab === tab) this.panel.replaceChildren(...nodes);
  }

  /** The end of what the agent wrote; a log can be larger than a browser. */
  async #log(stream) {
    const path = `/runs/${encodeURIComponent(this.run.run_id)}/log?stream=${stream}`;
    const { words, size, leftOut } = await hub.tail(path, LONGEST_LOG);
    const choose = (name, words) => h("button", { type: "button", class: "chip", "aria-pressed": String(name === stream), on: { click: () => this.#load(() => this.#log(name)) } }, words);
    const save = h("button", { type: "button", class: "small", on: { click: () => download(`${this.run.run_id}.${stream}.log`, path) } }, leftOut > 0 ? `Download all ${bytes(size)}` : "Download");
    const cut = leftOut > 0 ? h("span", { class: "hint left-out" }, `the end of it; ${bytes(leftOut)} before it are left out`) : undefined;
    return [
      h("div", { class: "chips" }, choose("out", "Output"), choose("err", "Errors"), h("span", { class: "grow" }), cut, save),
      h("pre", { class: "plain log", tabindex: 0 }, words === "" ? "Nothing was written." : words),
    ];
  }

  async #details() {
    const { run } = this;
    const [{ turns }, { attempts }] = await Promise.all([hub.of(run.run_id, "turns"), hub.of(run.run_id, "attempts")]);
    const fact = (name, value) => (value === undefined || value === "" ? [] : [h("dt", {}, name), h("dd", {}, String(value))]);
    const facts = [
      ["run", run.run_id], ["state", run.state], ["agent", run.agent], ["worker", run.worker], ["folder", run.dir], ["conversation", run.session_id],
      ["asked for by", `${run.author.group} via ${run.author.origin}`], ["created", moment(millis(run.created_at))], ["started", run.started_at && moment(millis(run.started_at))],
      ["ended", run.ended_at && moment(millis(run.ended_at))], ["goes on from", run.parent_run_id], ["tokens in", run.spent.input_tokens], ["tokens out", run.spent.output_tokens], ["cost", money(run.spent.cost_usd)],
    ].flatMap(([name, value]) => fact(name, value));
    const can = this.capabilities();
    const abilities = can ? Object.entries(can).map(([name, yes]) => h("li", { "data-can": yes ? "yes" : "no" }, (yes ? "✓ " : "✕ ") + name.replaceAll("_", " "))) : [];
    return [h("div", { class: "details-tab" },
      h("dl", { class: "facts" }, ...facts),
      h("h3", {}, "Attempts"),
      h("ul", { class: "plain-list" }, ...attempts.map((one) => h("li", {}, `${one.attempt}: process ${one.pid} on ${one.host}` + (one.end_reason ? `, ended: ${one.end_reason}` : "")))),
      h("h3", {}, "Turns"),
      h("ol", { class: "plain-list" }, ...turns.map((turn) => h("li", {}, h("strong", {}, `${turn.turn} ${turn.how ?? "running"}`), h("pre", { class: "plain" }, turn.message)))),
      abilities.length > 0 ? h("h3", {}, `What ${run.agent} can do`) : undefined, h("ul", { class: "abilities" }, ...abilities))];
  }
}

/** A link could not carry the token, so the file is fetched first; a browser keeps a large one on its disk. */
async function download(name, path) {
  try {
    const url = URL.createObjectURL(await hub.blob(path));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } catch (error) {
    toast(error.message, "bad");
  }
}
