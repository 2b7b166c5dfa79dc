// The activity of a run: one row per item in a windowed list, which holds only the rows in view, and the details of
// the selected item. A message has as many lines as it needs, up to a limit; all other rows have one line.

import { exact, h, icon, keyed, setText, show, text } from "./dom.js";
import { capitalized, clock, duration, exactLine, moment, offset, oneLine } from "./format.js";
import { rungOf, waitsForAnswer } from "./story.js";
import { toolTime } from "./timeline-paint.js";
import { askDetail } from "./ask-detail.js";
import { prose } from "./markdown.js";
import { RowHeights } from "./row-heights.js";
import { visibleProse } from "./visible.js";

const SPARE = 12;
const MAX_PASSES = 4; // measuring a row can bring other rows into view
const MAX_SHORT = 1_500; // characters of a message that is not expanded
const KINDS = { all: "All events", said: "Messages", tool: "Tools", steer: "Steers" };
const SIGNS = { said: "said", tool: "tool", turn: "turn", steer: "steer", ask: "asks", quiet: "quiet", note: "note" };

export class StoryView {
  constructor({ select }) {
    this.select = select;
    this.kind = "all";
    this.atEnd = true; // follows new rows until a person scrolls back
    this.scrolledTo = 0;
    this.items = [];
    this.expanded = new Set(); // cursors of messages that are shown in full
    this.heights = new RowHeights(30);
    this.window = h("ol", { class: "story-window" });
    this.space = h("div", { class: "story-space" }, this.window);
    this.scroller = h("div",
      { class: "story-scroll", tabindex: 0, role: "region", "aria-label": "Activity" }, this.space);
    this.latest = h("button",
      { type: "button", class: "small latest", hidden: true, on: { click: () => this.#toEnd() } }, "Jump to latest");
    this.chips = Object.entries(KINDS).map(([kind, words]) =>
      h("button", {
        type: "button", class: "chip", "data-kind": kind, "aria-pressed": String(kind === "all"),
        on: { click: () => this.#choose(kind) },
      }, words));
    this.chipBar = h("div", { class: "chips", role: "group", "aria-label": "Filter events" }, ...this.chips);
    this.detail = h("section", { class: "detail", "aria-label": "Selected event", hidden: true });
    this.node = h("div", { class: "story" },
      h("div", { class: "story-left" }, this.scroller, this.latest),
      this.detail);
    this.scroller.addEventListener("scroll", () => {
      const { scrollTop, clientHeight, scrollHeight } = this.scroller;
      if (scrollTop + clientHeight > scrollHeight - this.heights.row) this.atEnd = true;
      else if (scrollTop < this.scrolledTo) this.atEnd = false;
      this.scrolledTo = scrollTop;
      this.#drawWindow();
    });
    this.window.addEventListener("click", (event) => this.#clicked(event));
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
  }

  #choose(kind) {
    this.kind = kind;
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(chip.dataset.kind === kind));
    this.heights.reset();
    this.draw(this.story, this.selected);
  }

  #clicked(event) {
    const row = event.target.closest(".story-row");
    if (!row || event.target.closest("a") || String(getSelection()) !== "") return;
    const cursor = Number(row.dataset.cursor);
    if (event.target.closest(".more")) this.#toggle(cursor);
    else this.select(this.story.itemOf.get(cursor));
  }

  #toggle(cursor) {
    if (!this.expanded.delete(cursor)) this.expanded.add(cursor);
    this.atEnd = false;
    this.#drawWindow();
  }

  /** A new width changes the heights of messages; a narrow screen has larger rows. */
  #resized() {
    const { clientWidth } = this.scroller;
    if (clientWidth !== this.width && clientWidth > 0) {
      this.width = clientWidth;
      this.heights.reset(parseFloat(getComputedStyle(this.scroller).getPropertyValue("--row")) || 30);
      for (const node of this.window.children) delete node.dataset.fits;
    }
    if (this.atEnd) this.#toEnd();
    else this.#drawWindow();
  }

  draw(story, selected) {
    if (story !== this.story) {
      this.atEnd = true;
      this.expanded.clear();
      this.heights.reset();
    }
    this.story = story;
    this.items = this.kind === "all" ? story.items : story.items.filter((item) => item.kind === this.kind);
    this.#drawWindow();
    if (selected !== this.selected || (selected && selected.kind !== "note")) this.#drawDetail(selected);
    this.selected = selected;
  }

  /** Scrolls an item into view. */
  reveal(item) {
    const at = this.kind === "all" ? item.index : this.items.indexOf(item);
    if (at < 0) return;
    const top = this.heights.top(at);
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop || top + this.heights.row > scrollTop + clientHeight) {
      this.atEnd = false;
      this.scroller.scrollTop = top - clientHeight / 2;
    }
    this.#drawWindow();
  }

  #toEnd() {
    this.atEnd = true;
    this.#drawWindow();
  }

  #drawWindow() {
    if (!this.story) return;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      this.#placeRows();
      if (!this.#measure()) break;
    }
    show(this.latest, !this.atEnd && this.items.length > 0);
  }

  #placeRows() {
    this.heights.cover(this.items);
    this.space.style.height = `${this.heights.total()}px`;
    if (this.atEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
    const { scrollTop, clientHeight } = this.scroller;
    const from = Math.max(0, this.heights.at(scrollTop) - SPARE);
    const to = Math.min(this.items.length, this.heights.at(scrollTop + clientHeight) + 1 + SPARE);
    this.window.style.transform = `translateY(${this.heights.top(from)}px)`;
    this.from = from;
    keyed(this.window, this.items.slice(from, to), (item) => item.cursor, row,
      (node, item) => this.#drawRow(node, item));
  }

  /** Takes over the real heights of the messages in view. Returns whether one differs from the assumed height. */
  #measure() {
    if (this.scroller.clientHeight === 0) return false;
    const { scrollTop } = this.scroller;
    let above = 0;
    let changed = false;
    for (const [index, node] of [...this.window.children].entries()) {
      if (!node.classList.contains("kind-said")) continue;
      if (node.dataset.fits === undefined) fit(node);
      const at = this.from + index;
      const before = this.heights.height(at);
      const now = node.offsetHeight;
      if (now === before) continue;
      if (this.heights.top(at) + before <= scrollTop) above += now - before;
      this.heights.set(at, now);
      changed = true;
    }
    if (changed && !this.atEnd && above !== 0) {
      this.space.style.height = `${this.heights.total()}px`;
      this.scroller.scrollTop = scrollTop + above;
    }
    return changed;
  }

  #drawRow(node, item) {
    node.classList.toggle("selected", item === this.selected);
    const button = node.querySelector(".row-open");
    if (item === this.selected) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    node.dataset.tone = item.kind === "tool" && item.ok === false ? "bad" : item.tone ?? "";
    text(node.querySelector(".when"), offset(item.at - this.story.beganAt));
    if (item.kind === "said") {
      drawMessage(node, item, this.expanded.has(item.cursor));
      return;
    }
    setText(node.querySelector(".what"), line(item));
    text(node.querySelector(".took"), took(item));
  }

  #drawDetail(item) {
    show(this.detail, Boolean(item));
    if (!item) return;
    const button = (click, ...words) => h("button", { type: "button", class: "small quiet", on: { click } }, ...words);
    const link = button(() => navigator.clipboard?.writeText(location.href), icon("link"), "Copy link");
    const close = button(() => this.select(undefined), "Close");
    const raw = (event) => h("pre", { class: "plain exact" }, exact(JSON.stringify(event, null, 2)));
    this.detail.replaceChildren(
      h("header", {},
        icon(SIGNS[item.kind]), h("strong", {}, `Event ${item.cursor}`), h("span", { class: "grow" }), link, close),
      h("dl", { class: "facts" },
        ...this.#facts(item).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      ...contentOf(item),
      h("details", {},
        h("summary", {}, "Raw event (JSON)"), raw(item.event), item.finished ? raw(item.finished) : undefined));
    this.detail.title = moment(item.at);
  }

  #facts(item) {
    const facts = [["Time", `${clock(item.at)} · ${offset(item.at - this.story.beganAt)} after start`]];
    if (item.kind === "tool") {
      facts.push(["Duration", toolTime(item, Date.now())], ["Tool", item.tool], ["Output", outputOf(item)]);
    } else if (item.end !== undefined) {
      facts.push(["Duration", duration(item.end - item.at)]);
    }
    if (item.kind === "ask") facts.push(["Answer", item.answer || "pending"]);
    if (item.kind === "steer") {
      facts.push(["Mode", item.mode.replace("_", "-")], ["Status", item.ended ?? rungOf(item)]);
    }
    return facts;
  }
}

const EXACT = new Set(["tool", "ask"]);

function contentOf(item) {
  if (item.kind === "said") return [prose(item.text)];
  if (!EXACT.has(item.kind)) return [h("pre", { class: "plain" }, item.text)];
  return [h("pre", { class: "plain exact" }, exact(item.text)), ...askDetail(item.detail)];
}

function outputOf(tool) {
  if (waitsForAnswer(tool)) return "waiting for approval";
  if (tool.end === undefined) return "running";
  return tool.outcome || (tool.ok ? "ok" : "failed");
}

function row(item) {
  const sign = icon(SIGNS[item.kind] ?? "note");
  if (item.kind !== "said") {
    return h("li", { class: `story-row kind-${item.kind}`, "data-cursor": item.cursor },
      h("button", { type: "button", class: "row-open" },
        h("span", { class: "when" }), sign,
        h("span", { class: EXACT.has(item.kind) ? "what exact" : "what" }), h("span", { class: "took" })));
  }
  return h("li", { class: "story-row kind-said", "data-cursor": item.cursor },
    h("button", { type: "button", class: "row-open", title: "Details of this message" },
      h("span", { class: "unseen" }, "Message at "), h("span", { class: "when" }), sign),
    h("div", { class: "said-body" },
      h("div", { class: "what" }),
      h("button", { type: "button", class: "small quiet more", hidden: true })));
}

/** Renders a message, in full or only its beginning. */
function drawMessage(node, item, expanded) {
  if (node.dataset.expanded === String(expanded)) return;
  node.dataset.expanded = String(expanded);
  delete node.dataset.fits;
  node.querySelector(".what").replaceChildren(prose(expanded ? item.text : item.text.slice(0, MAX_SHORT)));
  node.dataset.cut = String(item.text.length > MAX_SHORT);
}

/** Offers to expand a message that is longer than its row. */
function fit(node) {
  const body = node.querySelector(".what");
  const more = node.querySelector(".more");
  const expanded = node.dataset.expanded === "true";
  node.dataset.fits = "yes";
  const long = expanded || node.dataset.cut === "true" || body.scrollHeight > body.clientHeight + 4;
  node.dataset.long = String(long);
  show(more, long);
  more.setAttribute("aria-expanded", String(expanded));
  text(more, expanded ? "Show less" : "Show more");
}

/** The text of a row, by the rules of visible.js. */
function line(item) {
  if (item.kind === "tool") return `${exactLine(item.tool)}  ${exactLine(item.text)}`;
  if (item.kind === "steer") return `#${item.seq} ${visibleProse(oneLine(item.text))}`;
  if (item.kind === "ask") {
    const title = item.askKind === "question" ? "Question" : "Permission request";
    return `${title}: ${exactLine(item.text)}` + (item.answer ? ` — ${visibleProse(oneLine(item.answer))}` : "");
  }
  if (item.kind === "quiet") return capitalized(visibleProse(oneLine(item.text)));
  return visibleProse(oneLine(item.text));
}

function took(item) {
  if (item.kind === "steer") return item.ended ?? rungOf(item);
  if (item.kind !== "tool" && item.kind !== "turn") return "";
  if (item.kind === "tool" && waitsForAnswer(item)) return "waiting";
  if (item.end === undefined) return "running";
  return item.kind === "turn" ? duration(item.end - item.at) : (item.ok ? "" : "✕ ") + toolTime(item, item.end);
}
