// The timeline of a run on a canvas. It paints only the items in view, so that thousands of events stay fast. Input:
// drag, wheel, pinch and keyboard. A live run can be followed.

import { h, icon, show, text } from "./dom.js";
import { duration, offset } from "./format.js";
import { Painter, lanes, toolTime } from "./timeline-paint.js";

const SHORTEST_VIEW = 20; // milliseconds
const FOLLOWED = 120_000;
const DRAG_PIXELS = 4;
const LABEL_PIXELS = 84;
const DEFAULT_SHARE = 0.207; // of the height of the window
const COLLAPSED = "midcourse.timeline";

export class Timeline {
  /** @param select called with the selected item, or with undefined */
  constructor({ select }) {
    this.select = select;
    this.canvas = h("canvas", {
      class: "timeline-canvas", tabindex: 0, role: "application",
      "aria-roledescription": "timeline", "aria-label": "Timeline of the run",
    });
    this.overview = h("canvas", { class: "timeline-overview", "aria-hidden": "true" });
    this.tip = h("div", { class: "timeline-tip", hidden: true });
    const modeButton = (words, title, mode, pressed) => h("button", {
      type: "button", class: "small", "aria-pressed": pressed, title, on: { click: () => this.setMode(mode) },
    }, words);
    this.follow = modeButton("Follow", "Follow new events (l)", "follow", "false");
    this.whole = modeButton("Whole run", "Show the whole run (0)", "fit", "true");
    const zoomButton = (sign, name, key, factor) => h("button", {
      type: "button", class: "small square", "aria-label": name, title: `${name} (${key})`,
      on: { click: () => this.zoom(factor) },
    }, sign);
    this.place = h("span", { class: "timeline-place" });
    this.waitingLegend = legend("waiting", "waiting");
    this.outageLegend = legend("outage", "hub down");
    this.toggle = h("button", {
      type: "button", class: "small quiet timeline-toggle", on: { click: () => this.#collapse(!this.collapsed) },
    }, icon("back"), "Timeline");
    this.node = h("section", { class: "timeline", "aria-label": "Timeline" },
      h("div", { class: "timeline-bar" },
        this.toggle,
        h("span", { class: "timeline-keys" },
          legend("turn", "turn"), legend("tool", "tool call"), legend("said", "message"),
          this.waitingLegend, this.outageLegend,
          legend("stored", "steer stored"), legend("injected", "steer injected")),
        this.place,
        h("span", { class: "timeline-buttons" },
          zoomButton("−", "Zoom out", "-", 1.6), zoomButton("+", "Zoom in", "+", 1 / 1.6),
          this.whole, this.follow)),
      h("div", { class: "timeline-stage" }, this.canvas, this.tip),
      this.overview);
    this.painter = new Painter(this.canvas);
    this.small = new Painter(this.overview);
    this.story = undefined;
    this.live = false;
    this.mode = "fit";
    this.view = { from: 0, to: 1 };
    this.selected = undefined;
    this.hover = undefined;
    this.dirty = true;
    this.drawnAt = 0;
    this.pointers = new Map();
    this.chosenHeight = undefined;
    const narrow = matchMedia("(max-width: 720px)");
    this.#collapse((localStorage.getItem(COLLAPSED) ?? (narrow.matches ? "closed" : "open")) === "closed", false);
    this.#listen();
    const draw = () => {
      requestAnimationFrame(draw); // before the painting, so that a failed frame does not end the loop
      this.#frame();
    };
    requestAnimationFrame(draw);
  }

  /** Shows only the overview, so that the activity has more room. */
  #collapse(collapsed, keep = true) {
    this.collapsed = collapsed;
    if (keep) localStorage.setItem(COLLAPSED, collapsed ? "closed" : "open");
    this.node.dataset.collapsed = String(collapsed);
    this.toggle.setAttribute("aria-expanded", String(!collapsed));
    this.toggle.title = collapsed ? "Show the timeline" : "Hide the timeline";
    this.dirty = true;
  }

  /** Limits the height of the canvas in pixels; undefined is the default. */
  setHeight(pixels) {
    this.chosenHeight = pixels;
    this.dirty = true;
  }

  height() {
    return this.collapsed ? 0 : this.canvas.clientHeight;
  }

  show(story, live) {
    const other = story !== this.story;
    this.story = story;
    this.live = live;
    if (other) {
      this.selected = undefined;
      this.mode = "fit";
    }
    this.follow.disabled = !live;
    this.dirty = true;
  }

  /** Marks an item and, if `bring` is true, moves it into view. */
  mark(item, bring) {
    this.selected = item;
    if (item && bring && (item.at < this.view.from || item.at > this.view.to)) {
      const span = this.view.to - this.view.from;
      this.view = { from: item.at - span / 2, to: item.at + span / 2 };
      this.#setMode("free");
    }
    this.dirty = true;
  }

  setMode(mode) {
    if (mode === "follow") {
      const now = Date.now();
      const span = Math.min(FOLLOWED, Math.max(5_000, (now - (this.story?.beganAt ?? now)) / 2));
      this.view = { from: now - span, to: now };
    }
    this.#setMode(mode);
  }

  #setMode(mode) {
    this.mode = mode;
    this.dirty = true;
    this.whole.setAttribute("aria-pressed", String(mode === "fit"));
    this.follow.setAttribute("aria-pressed", String(mode === "follow"));
  }

  repaint() {
    this.painter.forget();
    this.small.forget();
    this.dirty = true;
  }

  zoom(factor, around) {
    const { from, to } = this.view;
    const whole = this.#extent();
    const center = around ?? (this.mode === "follow" ? to : (from + to) / 2);
    const span = Math.min(Math.max((to - from) * factor, SHORTEST_VIEW), (whole.to - whole.from) * 1.2);
    const share = (center - from) / (to - from);
    this.view = { from: center - share * span, to: center + (1 - share) * span };
    if (this.mode !== "follow") this.#setMode("free");
    this.dirty = true;
  }

  #extent() {
    const from = this.story?.axisStart() ?? Date.now();
    const newest = this.live ? Date.now() : this.story?.axisEnd() ?? from + 1;
    const span = Math.max(1_000, newest - from);
    const width = this.canvas.clientWidth || 800;
    // The right end leaves room for the label of the last mark.
    return { from: from - span * 0.01, to: from + span * (1 + LABEL_PIXELS / Math.max(200, width - LABEL_PIXELS)) };
  }

  #frame() {
    if (!this.story || document.hidden || this.node.clientWidth === 0) return;
    const now = Date.now();
    const span = this.view.to - this.view.from;
    const moves = this.live && (this.mode !== "free" || now < this.view.to + span);
    const pixel = span / this.node.clientWidth;
    const due = moves && now - this.drawnAt > Math.max(33, pixel / 2);
    if (!this.dirty && !due) return;
    this.dirty = false;
    this.drawnAt = now;
    if (this.mode === "fit") this.view = this.#extent();
    if (this.mode === "follow") this.view = { from: now - span * 0.92, to: now + span * 0.08 };
    const scene = { story: this.story, live: this.live, now, selected: this.selected, hover: this.hover };
    if (!this.collapsed) {
      const layout = lanes(this.story, this.chosenHeight ?? window.innerHeight * DEFAULT_SHARE);
      this.canvas.parentElement.style.height = `${layout.height}px`;
      this.painter.whole({ ...scene, view: this.view, layout });
    }
    show(this.overview, this.collapsed || this.mode !== "fit");
    if (!this.overview.hidden) this.small.overview({ ...scene, view: this.view, extent: this.#extent() });
    this.#describe();
  }

  #describe() {
    show(this.waitingLegend, this.story.asks.size > 0);
    show(this.outageLegend, this.story.outages.length > 0);
    const from = this.story.beganAt ?? this.view.from;
    text(this.place, `${offset(Math.max(0, this.view.from - from))} – ${offset(this.view.to - from)}`);
    const label = `Timeline of the run: ${this.story.turns.length} turns, ${this.story.tools.length} tool calls, `
      + `${this.story.steers.size} steers, `
      + `${this.story.outages.length} hub outages. Use the arrow keys to select the previous or next event.`;
    if (this.canvas.getAttribute("aria-label") !== label) this.canvas.setAttribute("aria-label", label);
  }

  #timeAt(x) {
    return this.painter.timeAt(x, this.view);
  }

  #listen() {
    const canvas = this.canvas;
    new ResizeObserver(() => (this.dirty = true)).observe(this.node);
    canvas.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, { x: event.offsetX, from: event.offsetX, moved: false });
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => this.#moved(event));
    for (const end of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(end, (event) => {
        const pointer = this.pointers.get(event.pointerId);
        this.pointers.delete(event.pointerId);
        if (end === "pointerup" && pointer && !pointer.moved) this.#pick(event.offsetX, event.offsetY);
      });
    }
    canvas.addEventListener("pointerleave", () => this.#hover(undefined));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    let scrubbing = false;
    const scrub = (event) => {
      const { from, to } = this.#extent();
      const center = from + (event.offsetX / this.overview.clientWidth) * (to - from);
      const span = Math.min(this.view.to - this.view.from, (to - from) / 3);
      this.view = { from: center - span / 2, to: center + span / 2 };
      this.#setMode("free");
    };
    this.overview.addEventListener("pointerdown", (event) => {
      scrubbing = true;
      this.overview.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.overview.addEventListener("pointermove", (event) => scrubbing && scrub(event));
    for (const end of ["pointerup", "pointercancel"]) this.overview.addEventListener(end, () => (scrubbing = false));
  }

  #moved(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) {
      this.#hover({ x: event.offsetX, y: event.offsetY });
      return;
    }
    const others = [...this.pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length > 0) {
      const other = others[0][1];
      const before = Math.max(10, Math.abs(pointer.x - other.x));
      const after = Math.max(10, Math.abs(event.offsetX - other.x));
      pointer.moved = other.moved = true;
      this.zoom(before / after, this.#timeAt((event.offsetX + other.x) / 2));
    } else {
      if (Math.abs(event.offsetX - pointer.from) > DRAG_PIXELS) pointer.moved = true;
      if (pointer.moved) this.#pan(pointer.x - event.offsetX);
    }
    pointer.x = event.offsetX;
  }

  #pan(pixels) {
    const time = this.painter.timeOf(pixels, this.view);
    this.view = { from: this.view.from + time, to: this.view.to + time };
    this.#setMode("free");
  }

  #wheel(event) {
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) this.#pan(event.deltaX || event.deltaY);
    else this.zoom(Math.exp(event.deltaY * 0.0025), this.#timeAt(event.offsetX));
  }

  #hover(at) {
    this.hover = at;
    this.dirty = true;
    const item = at && this.painter.hit(at.x, at.y);
    this.tip.hidden = !item;
    this.canvas.classList.toggle("over-item", Boolean(item));
    if (!item) return;
    const took = item.kind === "tool" ? `, ${toolTime(item, Date.now())}`
      : item.end !== undefined ? `, ${duration(item.end - item.at)}` : "";
    const words = item.kind === "tool" ? `${item.tool}: ${item.text}` : item.text;
    text(this.tip, `${offset(item.at - this.story.beganAt)}${took}\n${words.slice(0, 300)}`);
    const left = Math.min(at.x + 14, Math.max(0, this.canvas.clientWidth - this.tip.offsetWidth - 8));
    this.tip.style.transform = `translate(${left}px, ${at.y + 16}px)`;
  }

  #pick(x, y) {
    const item = this.painter.hit(x, y) ?? this.#nearest(this.#timeAt(x));
    if (item) this.select(item.mark ?? item); // an outage is selected by the event that ended it
  }

  #nearest(time) {
    const items = this.story?.items ?? [];
    let low = 0;
    let high = items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (items[middle].at < time) low = middle + 1;
      else high = middle;
    }
    const after = items[low];
    const before = items[low - 1];
    return !after || (before && time - before.at < after.at - time) ? before : after;
  }

  /** Selects the item that is `by` places after the selected one. */
  step(by) {
    const items = this.story?.items ?? [];
    if (items.length === 0) return;
    const from = this.selected ? this.selected.index : by > 0 ? -1 : items.length;
    this.select(items[Math.min(items.length - 1, Math.max(0, from + by))]);
  }

  #key(event) {
    const done = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity), End: () => this.step(Infinity),
      "+": () => this.zoom(1 / 1.6), "=": () => this.zoom(1 / 1.6), "-": () => this.zoom(1.6),
      0: () => this.setMode("fit"), l: () => this.live && this.setMode("follow"),
    }[event.key];
    if (!done || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    done();
  }
}

function legend(kind, words) {
  return h("span", { class: "legend" }, h("i", { class: "legend-" + kind }), words);
}
