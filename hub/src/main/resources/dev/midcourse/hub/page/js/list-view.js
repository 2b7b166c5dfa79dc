// The list of runs on the left: grouped, runs that need attention first, with search and filters.

import { h, icon, keyed, setText, show, text } from "./dom.js";
import { toast } from "./dialogs.js";
import { hasEnded, loopLine, loopStanding } from "./loops.js";
import { MAX_LIVE } from "./runs.js";
import { ago, exactLine, firstLine, idleWords, isAsking, isLive, millis, needOf, oneLine, standing } from "./format.js";
import { visibleProse } from "./visible.js";

// The number of rows of one group; a search finds the others. What needs attention is always listed.
const MAX_ROWS = { needs: Infinity, running: 300, queued: 300, ended: 300 };
const TITLES = { needs: "Needs attention", running: "Running", queued: "Queued", ended: "Ended" };
const FILTERS = { all: "All", needs: "Attention", live: "Active", ended: "Ended" };

export class ListView {
  constructor(runs, loops, { open }) {
    this.runs = runs;
    this.loops = loops;
    this.open = open;
    this.filter = "all";
    this.selected = ""; // the path of the open view
    this.shown = [];
    this.search = document.getElementById("search");
    this.list = document.getElementById("runs");
    this.more = h("button",
      {
        type: "button", class: "small older",
        on: { click: () => runs.loadOlder().catch((error) => toast(error.message, "bad")) },
      },
      "Load older runs");
    this.nothing = h("p", { class: "nothing" });
    this.reach = h("p", { class: "hint reach", role: "status", hidden: true });
    this.groups = h("div", {});
    this.loopGroup = h("section", { class: "group loops", "aria-label": "Autopilot", hidden: true },
      h("h2", { class: "group-title", "data-group": "loops" }, "Autopilot", h("span", { class: "count" })),
      h("ul", {}));
    this.list.append(this.loopGroup, this.groups, this.nothing, this.reach, this.more);
    this.search.addEventListener("input", () => this.draw());
    this.chips = Object.entries(FILTERS).map(([name, words]) =>
      h("button", {
        type: "button", class: "chip", "data-filter": name, "aria-pressed": "false",
        on: { click: () => this.choose(name) },
      }, words, h("span", { class: "badge", hidden: true })));
    document.getElementById("filters").append(...this.chips);
    this.list.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-run], a[data-loop]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open(link.getAttribute("href"));
    });
    setInterval(() => this.draw(), 5_000);
  }

  choose(filter) {
    this.filter = filter;
    this.draw();
  }

  /** Marks the row of this path of the page; of an event, the row of its run. */
  mark(path) {
    this.selected = path.replace(/^(\/runs\/[^/]+)\/\d+$/, "$1");
    this.draw();
  }

  /** The path of the row that is `by` places after the selected one in the list. */
  neighbour(by) {
    const at = this.shown.indexOf(this.selected);
    return this.shown[at < 0 ? 0 : Math.min(this.shown.length - 1, Math.max(0, at + by))];
  }

  draw() {
    const now = Date.now();
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = Object.entries(this.runs.groups(words, this.filter, now)).filter(([, runs]) => runs.length > 0);
    const loops = this.loops.listed(words, this.filter);
    this.shown = [
      ...loops.map((loop) => loopPath(loop.loop_id)),
      ...groups.flatMap(([name, runs]) => runs.slice(0, MAX_ROWS[name]).map((run) => runPath(run.run_id))),
    ];
    show(this.loopGroup, loops.length > 0);
    text(this.loopGroup.querySelector(".count"), String(loops.length));
    keyed(this.loopGroup.querySelector("ul"), loops, (loop) => loop.loop_id, loopRow,
      (item, loop) => this.#drawLoop(item, loop, now));
    keyed(this.groups, groups, ([name]) => name, ([name]) => group(name),
      (node, [name, runs]) => this.#drawGroup(node, runs, MAX_ROWS[name], now));
    show(this.more, Boolean(this.runs.next) && this.filter !== "needs");
    this.more.disabled = this.runs.loadingOlder;
    show(this.nothing, this.runs.loaded && this.shown.length === 0);
    const filtered = words.length > 0 || this.filter !== "all";
    text(this.nothing, filtered ? "No matching runs." : "No runs yet. Press n to start one.");
    text(this.more, words.length > 0 ? "Search older runs" : "Load older runs");
    const reach = reachOf(this.runs, words.length > 0 && this.filter !== "needs");
    show(this.reach, reach !== "");
    text(this.reach, reach);
    const needing = this.runs.needing(now) + this.loops.needing();
    for (const chip of this.chips) {
      chip.setAttribute("aria-pressed", String(chip.dataset.filter === this.filter));
      const badge = chip.querySelector(".badge");
      if (chip.dataset.filter === "needs") {
        show(badge, needing > 0);
        text(badge, String(needing));
      }
    }
    const opened = /^\/(?:runs|loops)\/([^/]+)$/.exec(this.selected);
    const selected = opened ? `${decodeURIComponent(opened[1])} · ` : "";
    document.title = (needing > 0 ? `(${needing}) ` : "") + selected + "Midcourse";
  }

  #drawStanding(link, { word, icon: sign, tone }) {
    if (link.dataset.sign !== sign) {
      link.dataset.sign = sign;
      link.querySelector(".sign").replaceChildren(icon(sign));
    }
    link.dataset.tone = tone;
    const current = link.getAttribute("href") === this.selected;
    if (current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    text(link.querySelector(".word"), word);
  }

  #drawLoop(item, loop, now) {
    const link = item.firstChild;
    this.#drawStanding(link, loopStanding(loop));
    const from = millis(loop.ended_at ?? loop.parked?.since ?? loop.created_at);
    text(link.querySelector(".since"), ago(now - from) + (hasEnded(loop) ? " ago" : ""));
    text(link.querySelector(".doing"), loopLine(loop));
    text(link.querySelector(".agent"), loop.agent);
    text(link.querySelector(".steers"), loop.check && !hasEnded(loop) ? `round ${loop.check.round}` : "");
  }

  #drawGroup(node, runs, most, now) {
    text(node.querySelector(".count"), String(runs.length));
    const rest = node.querySelector(".rest");
    show(rest, runs.length > most);
    text(rest, `${runs.length - most} more. Use search to find them.`);
    keyed(node.querySelector("ul"), runs.slice(0, most), (run) => run.run_id, row,
      (item, run) => this.#drawRow(item, run, now));
  }

  #drawRow(item, run, now) {
    const link = item.firstChild;
    this.#drawStanding(link, standing(run));
    text(link.querySelector(".since"), since(run, now));
    setText(link.querySelector(".doing"), doing(run));
    text(link.querySelector(".agent"), run.agent);
    const steers = run.steers > 0 ? `${run.steers} ${run.steers === 1 ? "steer" : "steers"}` : "";
    text(link.querySelector(".steers"), steers);
  }
}

function group(name) {
  const title = h("h2", { class: "group-title", "data-group": name }, TITLES[name], h("span", { class: "count" }));
  return h("section", { class: "group", "aria-label": TITLES[name] },
    title, h("ul", {}), h("p", { class: "hint rest", hidden: true }));
}

function since(run, now) {
  if (run.ended_at) return `${ago(now - millis(run.ended_at))} ago`;
  return run.started_at ? ago(now - millis(run.started_at)) : "";
}

/** Says which runs the list or the search does not cover; empty if it covers all. */
function reachOf(runs, searches) {
  const says = [];
  if (searches && runs.next) says.push(`Searched ${runs.byId.size} loaded runs. Older ended runs are not loaded.`);
  if (runs.leftOut) says.push(`Showing ${MAX_LIVE} active runs. The oldest active runs are not loaded.`);
  return says.join(" ");
}

const runPath = (id) => `/runs/${encodeURIComponent(id)}`;
const loopPath = (id) => `/loops/${encodeURIComponent(id)}`;

const row = (run) => listRow(run.run_id, { href: runPath(run.run_id), "data-run": run.run_id });
const loopRow = (loop) => listRow(loop.loop_id, { href: loopPath(loop.loop_id), "data-loop": loop.loop_id });

function listRow(name, attributes) {
  return h("li", {},
    h("a", { class: "run-row", ...attributes },
      h("span", { class: "sign" }),
      h("span", { class: "row-main" },
        h("span", { class: "row-head" }, h("span", { class: "name" }, name), h("span", { class: "since" })),
        h("span", { class: "doing" }),
        h("span", { class: "row-foot" },
          h("span", { class: "word" }), h("span", { class: "agent" }), h("span", { class: "steers" })))));
}

/** One line, by the rules of visible.js: the open question, or else the activity. */
function doing(run) {
  return isAsking(run) ? exactLine(run.question ?? needOf(run).word, 120) : visibleProse(activity(run));
}

/** The place in the queue, the progress, the result or the prompt. */
function activity(run) {
  if (run.state === "queued") return run.place_in_queue > 0 ? `${run.place_in_queue} ahead in queue` : "Next in queue";
  if (run.idle_until) return idleWords(run.idle_until);
  if (isLive(run) && run.progress) return oneLine(run.progress.summary || run.progress.phase, 120);
  if (run.result) return oneLine(firstLine(run.result), 120);
  return oneLine(firstLine(run.prompt), 120);
}
