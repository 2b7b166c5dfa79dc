// The activity of a run: one row per item in a windowed list, which holds only the rows in view, and the details of
// the selected item.

import { h, icon, keyed, show, text } from "./dom.js";
import { clock, duration, moment, offset, oneLine } from "./format.js";
import { rungOf } from "./story.js";
import { prose } from "./markdown.js";

const ROW = 30;
const SPARE = 12;
const KINDS = { all: "All events", said: "Messages", tool: "Tools", steer: "Steers" };
const SIGNS = { said: "said", tool: "tool", turn: "turn", steer: "steer", ask: "asks", quiet: "quiet", note: "note" };

export class StoryView {
  constructor({ select }) {
    this.select = select;
    this.kind = "all";
    this.atEnd = true; // follows new rows until a person scrolls back
    this.scrolledTo = 0;
    this.items = [];
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
    this.detail = h("aside", { class: "detail", "aria-label": "Selected event", hidden: true });
    this.node = h("div", { class: "story" },
      h("div", { class: "story-left" }, h("div", { class: "chips" }, ...this.chips), this.scroller, this.latest),
      this.detail);
    this.scroller.addEventListener("scroll", () => {
      const { scrollTop, clientHeight, scrollHeight } = this.scroller;
      if (scrollTop + clientHeight > scrollHeight - ROW) this.atEnd = true;
      else if (scrollTop < this.scrolledTo) this.atEnd = false;
      this.scrolledTo = scrollTop;
      this.#drawWindow();
    });
    this.window.addEventListener("click", (event) => {
      const row = event.target.closest("[data-cursor]");
      if (row) this.select(this.story.itemOf.get(Number(row.dataset.cursor)));
    });
    new ResizeObserver(() => (this.atEnd ? this.#toEnd() : this.#drawWindow())).observe(this.scroller);
  }

  #choose(kind) {
    this.kind = kind;
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(chip.dataset.kind === kind));
    this.draw(this.story, this.selected);
  }

  draw(story, selected) {
    const other = story !== this.story;
    this.story = story;
    this.items = this.kind === "all" ? story.items : story.items.filter((item) => item.kind === this.kind);
    if (other) this.atEnd = true;
    this.space.style.height = `${this.items.length * ROW}px`;
    if (this.atEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#drawWindow();
    if (selected !== this.selected || (selected && selected.kind !== "note")) this.#drawDetail(selected);
    this.selected = selected;
  }

  /** Scrolls an item into view. */
  reveal(item) {
    const at = this.kind === "all" ? item.index : this.items.indexOf(item);
    if (at < 0) return;
    const top = at * ROW;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) {
      this.atEnd = false;
      this.scroller.scrollTop = top - clientHeight / 2;
    }
    this.#drawWindow();
  }

  #toEnd() {
    this.atEnd = true;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.#drawWindow();
  }

  #drawWindow() {
    if (!this.story) return;
    const { scrollTop, clientHeight } = this.scroller;
    const from = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const to = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    this.window.style.transform = `translateY(${from * ROW}px)`;
    keyed(this.window, this.items.slice(from, to), (item) => item.cursor, row,
      (node, item) => this.#drawRow(node, item));
    show(this.latest, !this.atEnd && this.items.length > 0);
  }

  #drawRow(node, item) {
    node.classList.toggle("selected", item === this.selected);
    if (item === this.selected) node.firstChild.setAttribute("aria-current", "true");
    else node.firstChild.removeAttribute("aria-current");
    node.dataset.tone = item.kind === "tool" && item.ok === false ? "bad" : item.tone ?? "";
    text(node.querySelector(".when"), offset(item.at - this.story.beganAt));
    text(node.querySelector(".what"), line(item));
    text(node.querySelector(".took"), took(item));
  }

  #drawDetail(item) {
    show(this.detail, Boolean(item));
    if (!item) return;
    const button = (click, ...words) => h("button", { type: "button", class: "small quiet", on: { click } }, ...words);
    const link = button(() => navigator.clipboard?.writeText(location.href), icon("link"), "Copy link");
    const close = button(() => this.select(undefined), "Close");
    const raw = (event) => h("pre", { class: "plain" }, JSON.stringify(event, null, 2));
    this.detail.replaceChildren(
      h("header", {},
        icon(SIGNS[item.kind]), h("strong", {}, `Event ${item.cursor}`), h("span", { class: "grow" }), link, close),
      h("dl", { class: "facts" },
        ...this.#facts(item).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      item.kind === "said"
        ? prose(item.text)
        : h("pre", { class: "plain" }, item.text + (item.detail ? "\n\n" + item.detail : "")),
      h("details", {},
        h("summary", {}, "Raw event (JSON)"), raw(item.event), item.finished ? raw(item.finished) : undefined));
    this.detail.title = moment(item.at);
  }

  #facts(item) {
    const facts = [["Time", `${clock(item.at)} · ${offset(item.at - this.story.beganAt)} after start`]];
    if (item.end !== undefined) facts.push(["Duration", duration(item.end - item.at)]);
    if (item.kind === "tool") facts.push(["Tool", item.tool], ["Output", outputOf(item)]);
    if (item.kind === "ask") facts.push(["Answer", item.answer || "pending"]);
    if (item.kind === "steer") {
      facts.push(["Mode", item.mode.replace("_", "-")], ["Status", item.ended ?? rungOf(item)]);
    }
    return facts;
  }
}

function outputOf(tool) {
  if (tool.end === undefined) return "running";
  return tool.outcome || (tool.ok ? "ok" : "failed");
}

function row(item) {
  return h("li", { class: `story-row kind-${item.kind}` },
    h("button", { type: "button", "data-cursor": item.cursor },
      h("span", { class: "when" }),
      icon(SIGNS[item.kind] ?? "note"),
      h("span", { class: "what" }),
      h("span", { class: "took" })));
}

function line(item) {
  if (item.kind === "tool") return `${item.tool}  ${oneLine(item.text)}`;
  if (item.kind === "steer") return `#${item.seq} ${oneLine(item.text)}`;
  if (item.kind === "ask") {
    const title = item.askKind === "question" ? "Question" : "Permission request";
    return `${title}: ${oneLine(item.text)}` + (item.answer ? ` — ${oneLine(item.answer)}` : "");
  }
  if (item.kind === "quiet") return `No activity: ${oneLine(item.text)}`;
  return oneLine(item.text);
}

function took(item) {
  if (item.kind === "steer") return item.ended ?? rungOf(item);
  if (item.kind !== "tool" && item.kind !== "turn") return "";
  if (item.end === undefined) return "running";
  return (item.kind === "tool" && !item.ok ? "✕ " : "") + duration(item.end - item.at);
}
