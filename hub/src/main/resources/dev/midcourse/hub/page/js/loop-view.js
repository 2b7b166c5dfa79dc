// The view of one loop: its state and its question on top, then the lanes, the tabs, and the message box.

import { attempt, exact, h, icon, keyed, perFrame, show, text } from "./dom.js";
import { authorWords, count, duration, millis, moment, money } from "./format.js";
import { Refused, Unreachable, hub } from "./hub.js";
import { LoopActions } from "./loop-actions.js";
import { LoopFindings, holds } from "./loop-findings.js";
import { LoopLanes, verdictOf } from "./loop-lanes.js";
import { LoopReview } from "./loop-review.js";
import { LoopSteering } from "./loop-steering.js";
import { hasEnded, loopStanding, waitsForReview } from "./loops.js";
import { toast } from "./dialogs.js";

const TABS = { findings: "Findings", rounds: "Rounds", changes: "Changes", news: "News", details: "Details" };
const RELOAD_DELAY = 300;
const FREQUENT = new Set(["said", "tool_started", "tool_finished", "progressed", "garbage", "noted"]);

export class LoopView {
  constructor({ put, openRun, back }) {
    this.put = put;
    this.openRun = openRun;
    this.id = undefined;
    this.tab = "findings";
    this.draw = perFrame(() => this.#draw());
    const changed = (loop) => this.#changed(loop);
    this.actions = new LoopActions({ changed });
    this.findings = new LoopFindings({ changed });
    this.review = new LoopReview({ changed });
    this.steering = new LoopSteering({ changed, openRun });
    this.lanes = new LoopLanes();
    this.sign = h("span", { class: "state" });
    this.name = h("h1", { tabindex: -1 });
    this.facts = h("p", { class: "run-facts" });
    this.prompt = h("details", { class: "prompt" }, h("summary", {}), h("pre", { class: "plain" }));
    this.banners = h("div", { class: "banners" });
    this.tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Loop" },
      ...Object.entries(TABS).map(([name, words]) => h("button", {
        type: "button", role: "tab", id: `loop-tab-${name}`, "data-tab": name, "aria-controls": "loop-panel",
        on: { click: () => this.show(name) },
      }, words)));
    this.panel = h("div", { class: "panel loop-panel", id: "loop-panel", role: "tabpanel", tabindex: 0 });
    this.node = h("article", { class: "run loop" },
      h("header", { class: "run-head" },
        h("button",
          { type: "button", class: "quiet back", "aria-label": "All runs", on: { click: back } }, icon("back")),
        h("div", { class: "run-title" }, h("div", { class: "run-name" }, this.name, this.sign), this.facts),
        this.actions.node),
      this.prompt,
      h("div", { class: "run-body" },
        this.banners, this.lanes.node, h("div", { class: "tab-row" }, this.tabs), this.panel),
      this.steering.node);
    this.tabs.addEventListener("keydown", (event) => this.#arrow(event));
    setInterval(() => this.#tick(), 1_000);
  }

  /** Opens a loop, or closes the view if the id is undefined. */
  open(id) {
    if (id === this.id) return;
    this.id = id;
    this.details = undefined;
    this.tab = undefined;
    this.chosen = false; // until a person chooses a tab, a loop that waits for a review does
    this.prompt.open = false;
    if (!id) return;
    text(this.name, id);
    this.panel.replaceChildren(h("p", { class: "nothing" }, "Loading…"));
    this.load();
  }

  /** An event of the log concerns this loop: it is loaded again soon. */
  take(event, loop) {
    if (loop === this.id && this.id && !FREQUENT.has(event.kind)) this.#soon();
  }

  #soon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.load();
    }, RELOAD_DELAY);
  }

  async load() {
    const { id } = this;
    if (!id) return;
    try {
      const details = await hub.getLoop(id);
      if (id !== this.id) return;
      this.details = details;
      this.put(details.loop);
      this.draw();
    } catch (error) {
      if (id !== this.id) return;
      if (error instanceof Refused && error.status === 404) {
        this.panel.replaceChildren(h("p", { class: "nothing" }, `There is no loop ${id}.`));
      } else if (error instanceof Refused) toast(error.message, "bad");
      else if (!(error instanceof Unreachable)) throw error;
    }
  }

  /** The hub has carried an order out and sent the loop as it is now. */
  #changed(loop) {
    this.put(loop);
    if (this.details && loop.loop_id === this.id) {
      this.details = { ...this.details, loop };
      this.draw();
    }
    this.#soon();
  }

  show(tab) {
    this.chosen = true;
    this.tab = tab;
    this.#drawPanel(true);
  }

  #arrow(event) {
    const names = Object.keys(TABS);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tab = event.target.closest("[role=tab]");
    if (!by || !tab) return;
    const next = names[(names.indexOf(tab.dataset.tab) + by + names.length) % names.length];
    this.show(next);
    this.tabs.querySelector(`[data-tab=${next}]`).focus();
  }

  #tick() {
    if (!this.details || document.hidden || !this.node.isConnected || hasEnded(this.details.loop)) return;
    this.lanes.draw(this.details);
    this.#drawHead();
  }

  #draw() {
    if (!this.details) return;
    const { loop } = this.details;
    const before = this.tab;
    // A tab that is read is left only for a review, and only if no person has chosen it.
    if (waitsForReview(loop) && !this.chosen) this.tab = "changes";
    this.tab ??= loop.findings.length > 0 ? "findings" : "rounds";
    const anew = this.tab !== before;
    const parts = [
      () => this.#drawHead(),
      () => this.#drawBanners(),
      () => this.lanes.draw(this.details),
      () => this.actions.draw(loop),
      () => this.steering.draw(this.details),
      () => this.#drawPanel(anew),
    ];
    for (const part of parts) attempt(part);
  }

  #drawHead() {
    const { loop, progress } = this.details;
    const { word, icon: sign, tone } = loopStanding(loop);
    text(this.name, loop.loop_id);
    if (this.sign.dataset.word !== word) {
      this.sign.dataset.word = word;
      this.sign.dataset.tone = tone;
      this.sign.replaceChildren(icon(sign), word);
    }
    keyed(this.facts, factsOf(loop, progress), ({ name }) => name, (fact) => factNode(fact), drawFact);
    const [first, ...rest] = loop.prompt.trim().split("\n");
    const more = rest.length > 0 ? ` … ${rest.length} more ${rest.length === 1 ? "line" : "lines"}` : "";
    const version = loop.prompt_version > 1 ? `Version ${loop.prompt_version}: ` : "";
    text(this.prompt.querySelector("summary"), version + first + more);
    text(this.prompt.querySelector("pre"), loop.prompt);
  }

  #drawBanners() {
    const { loop } = this.details;
    const banners = [];
    const button = (words, click, tone) => h("button", { type: "button", class: tone, on: { click } }, words);
    if (loop.parked) {
      banners.push({
        key: `parked-${loop.parked.since}`, tone: "warn", sign: "asks", words: `It asks you: ${loop.parked.question}`,
        buttons: () => [button("Go on", () => this.actions.go(loop), "primary")],
      });
    }
    if (waitsForReview(loop)) {
      banners.push({
        key: `review-${loop.check.head}`, tone: "warn", sign: "review",
        words: `Commit ${loop.check.head.slice(0, 10)} waits for your review.`,
        buttons: () => [button("Review", () => this.show("changes"), "primary")],
      });
    }
    if (loop.result) {
      banners.push({ key: `result-${loop.ended_at}`, tone: loop.reviewed ? "ok" : "idle", sign: loop.phase, words: loop.result });
    }
    keyed(this.banners, banners, ({ key }) => key, ({ tone, sign, words, buttons }) =>
      h("div", { class: "banner", "data-tone": tone, role: "status" }, icon(sign),
        h("p", { class: "banner-words" }, words),
        buttons ? h("span", { class: "banner-actions" }, ...buttons()) : undefined), () => {});
  }

  #drawPanel(anew) {
    for (const tab of this.tabs.children) {
      const chosen = tab.dataset.tab === this.tab;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    if (!this.details) return;
    const { loop } = this.details;
    const holding = loop.findings.filter(holds).length;
    text(this.tabs.querySelector("[data-tab=findings]"), holding > 0 ? `Findings (${holding})` : "Findings");
    this.panel.setAttribute("aria-labelledby", `loop-tab-${this.tab}`);
    this.panel.dataset.tab = this.tab;
    const only = (node) => {
      if (this.panel.firstChild !== node || this.panel.children.length > 1) this.panel.replaceChildren(node);
    };
    // A node that is made anew would lose the focus, so it is made only for other data.
    const made = (make, ...data) => {
      const drawn = JSON.stringify([this.tab, this.id, ...data]);
      if (!anew && this.drawn === drawn) return;
      this.drawn = drawn;
      this.panel.replaceChildren(make());
    };
    if (this.tab === "findings") {
      this.findings.draw(loop);
      only(this.findings.node);
    } else if (this.tab === "changes") {
      this.review.draw(this.details);
      only(this.review.node);
      if (anew) this.review.load(this.wantedCall ?? "");
      this.wantedCall = undefined;
    } else if (this.tab === "rounds") {
      made(() => this.#rounds(), loop.calls, this.details.progress.calls);
    } else if (this.tab === "news") {
      made(() => newsList(this.details), this.details.news);
    } else {
      made(() => detailsTab(this.details), loop, this.details.progress.prompts);
    }
  }

  /** One table for each round: its calls with their results and what they cost. */
  #rounds() {
    const { loop, progress } = this.details;
    const more = new Map(progress.calls.map((call) => [call.number, call]));
    const rounds = [...new Set(loop.calls.map((call) => call.round))];
    if (rounds.length === 0) return h("p", { class: "nothing" }, "No call yet.");
    return h("div", { class: "rounds" }, ...rounds.map((round) => {
      const calls = loop.calls.filter((call) => call.round === round);
      const spent = calls.map((call) => more.get(call.number)?.spent);
      const sum = (name) => spent.reduce((all, one) => all + (one?.[name] ?? 0), 0);
      const title = [round === 0 ? "Before the first check" : `Round ${round}`, money(sum("cost_usd")),
        tokenWords(sum("input_tokens") + sum("output_tokens"))].filter(Boolean).join(" · ");
      return h("table", { class: "round" },
        h("caption", {}, title),
        h("thead", {}, h("tr", {}, ...["Call", "Result", "Task", "Time", "Cost"].map((words) => h("th", { scope: "col" }, words)),
          h("td", {}))),
        h("tbody", {}, ...calls.map((call) => this.#callRow(call, more.get(call.number)))));
    }));
  }

  #callRow(call, more) {
    const { tone, mark } = verdictOf(call.result);
    const given = more?.given.length > 0 ? ` (${more.given.join(", ")})` : "";
    const end = call.ended_at ? millis(call.ended_at) : Date.now();
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.openRun(call.run_id);
    };
    const diff = () => {
      this.wantedCall = String(call.number);
      this.show("changes");
    };
    const result = call.ended_at ? `${more?.cut_short ? "⇥" : mark} ${call.result}`.trim() : "running";
    return h("tr", { "data-call": call.number },
      h("th", { scope: "row" },
        more?.state ? h("a", { href: `/runs/${encodeURIComponent(call.run_id)}`, on: { click: follow } }, call.kind) : call.kind,
        h("span", { class: "hint" }, given)),
      h("td", { "data-tone": call.ended_at ? tone : "live" }, result),
      h("td", {}, `version ${call.prompt_version}`),
      h("td", {}, duration(end - millis(call.created_at))),
      h("td", {}, money(more?.spent.cost_usd) || "–"),
      h("td", {}, more?.changes
        ? h("button", { type: "button", class: "small", "aria-label": `Changes of call ${call.number}`, on: { click: diff } },
          "Changes")
        : undefined));
  }
}

const tokenWords = (tokens) => (tokens > 0 ? `${count(tokens)} tokens` : "");

/** What the loop is and what it has used of its budget. */
function factsOf(loop, progress) {
  const { limits } = progress;
  const tokens = loop.spent.input_tokens + loop.spent.output_tokens;
  const took = (loop.ended_at ? millis(loop.ended_at) : Date.now()) - millis(loop.created_at);
  const of = (used, limit) => (limit ? `${used} of ${limit}` : used);
  const cost = money(loop.spent.cost_usd);
  return [
    { name: "agent", words: `${loop.agent}, reviewed by ${loop.reviewer === "none" ? "nobody" : loop.reviewer}` },
    { name: "change", change: loop.change, words: loop.change ? changeWords(loop.change) : "" },
    { name: "round", words: loop.check ? `round ${loop.check.round}` : "" },
    { name: "fixes", words: `fixes ${loop.fixes}/${loop.max_fixes}`, full: loop.fixes >= loop.max_fixes },
    { name: "reviews", words: `reviews ${loop.reviews}/${loop.max_reviews}`, full: loop.reviews >= loop.max_reviews },
    { name: "open", words: loop.open > 0 ? `${loop.open} open of ${loop.findings.length} findings` : "" },
    { name: "cost", words: cost || limits.cost_usd ? of(cost || "$0", limits.cost_usd && money(limits.cost_usd)) : "" },
    { name: "tokens", words: tokens > 0 || limits.tokens
      ? `${of(count(tokens), limits.tokens && count(limits.tokens))} tokens` : "" },
    { name: "time", words: of(duration(took), limits.seconds && duration(limits.seconds * 1_000)) },
  ].filter(({ words }) => words);
}

/** A change of a forge: its number, as a link if the forge has a page for it. */
function changeWords(change) {
  return change.number === undefined ? "change" : `change ${change.number}`;
}

function factNode({ change }) {
  const url = change?.url ?? change?.link;
  const linked = typeof url === "string" && /^https?:\/\//.test(url);
  return linked
    ? h("span", {}, h("a", { href: url, target: "_blank", rel: "noreferrer noopener" }))
    : h("span", {});
}

function drawFact(node, { words, full }) {
  text(node.querySelector("a") ?? node, words);
  if (full) node.dataset.full = "true";
  else delete node.dataset.full;
}

function newsList({ news }) {
  if (news.length === 0) return h("p", { class: "nothing" }, "No news.");
  return h("ol", { class: "loop-news" }, ...[...news].reverse().map(({ at, phase, text: words }) =>
    h("li", {}, h("time", { datetime: at }, moment(millis(at))), h("span", { class: "news-phase" }, phase), h("span", {}, words))));
}

function detailsTab({ loop, progress }) {
  const time = (iso) => iso && moment(millis(iso));
  const facts = [
    ["Loop", loop.loop_id], ["Repository", loop.repo], ["Host", progress.host], ["Base", loop.base],
    ["Branch", loop.branch], ["Commit", loop.head], ["CI", loop.ci ?? "none"], ["Worker", loop.worker],
    ["Lands", loop.land ? `on ${loop.base} when clean` : "no"],
    ["Review", loop.check?.review], ["CI result", loop.check?.ci],
    ["Review due", time(progress.review_due)], ["CI due", time(progress.ci_due)],
    ["Created by", authorWords(loop.created_by)], ["Created", time(loop.created_at)], ["Ended", time(loop.ended_at)],
  ].filter(([, value]) => value !== undefined && value !== "");
  return h("div", { class: "details-tab" },
    h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) =>
      [h("dt", {}, name), h("dd", { class: "exact" }, exact(String(value)))])),
    h("h2", {}, "Wordings of the task"),
    h("ol", { class: "plain-list wordings" }, ...[...progress.prompts].reverse().map((one) => h("li", {},
      h("strong", {}, `Version ${one.number}`), ` by ${authorWords(one.author)}, ${moment(millis(one.at))}`,
      h("pre", { class: "plain" }, one.text)))));
}
