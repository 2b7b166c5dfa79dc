// Paints the timeline on a canvas. The Timeline handles input and decides which times are in view.

import { duration, fine, offset } from "./format.js";
import { visibleProse } from "./visible.js";
import { claimOf, endIsUncertain, isOpen, runningTime, waitsForAnswer } from "./story.js";

const AXIS = 22;
const TURN = 20;
const DOING = 16;
const TOOL = 22;
const SAID = 18;
const STEER = 22;
const GAP = 8;
const MAX_TOOL_ROWS = 4;
const STEER_ROWS = 3;
const GUTTER = 58;
const NARROW = 560;

/**
 * The vertical position of each lane within a height. Where room is short there are two rows of steers and of tools, then
 * no phases, then one row, then no messages. The lanes depend only on story and height, so that they do not move without a new event.
 */
export function lanes(story, limit = Infinity) {
  const rows = {
    tools: Math.min(MAX_TOOL_ROWS, Math.max(1, story.rows.length)),
    steers: Math.min(STEER_ROWS, Math.max(1, story.steers.size)),
  };
  let layout = place(rows, true, true);
  const shorten = (least, phase) => {
    while (layout.height > limit && (rows.tools > least || rows.steers > least)) {
      if (rows.tools >= rows.steers) rows.tools--;
      else rows.steers--;
      layout = place(rows, phase, true);
    }
  };
  shorten(2, true);
  if (layout.height > limit) layout = place(rows, false, true);
  shorten(1, false);
  if (layout.height > limit) layout = place(rows, false, false);
  return layout;
}

/** The lanes one below the other; a lane that is left out has no position. */
function place({ tools: toolRows, steers: steerRows }, withPhase, withSaid) {
  const turns = AXIS + 4;
  const doing = withPhase ? turns + TURN + 4 : undefined;
  const tools = turns + TURN + 4 + (withPhase ? DOING + 4 : 0);
  const said = withSaid ? tools + toolRows * TOOL + GAP : undefined;
  const steers = tools + toolRows * TOOL + GAP + (withSaid ? SAID + GAP : 0);
  return { turns, doing, tools, toolRows, said, steers, steerRows, height: steers + steerRows * STEER + 6 };
}

/** The time of a tool call: how long it ran, how long it waited for an answer, and whether its end is known. */
export function toolTime(tool, now) {
  if (waitsForAnswer(tool)) {
    return `waiting for approval ${duration(now - tool.asks.at(-1).at)}`;
  }
  const ran = (endIsUncertain(tool) ? "≤ " : "") + duration(runningTime(tool, now));
  const waited = (tool.end ?? now) - tool.at - runningTime(tool, now);
  return waited > 0 ? `${ran} (waited ${duration(waited)})` : ran;
}

const COLOURS = [
  "ink", "ink-2", "ink-3", "line", "surface", "surface-2", "accent", "accent-soft",
  "steer", "steer-soft", "ok", "warn", "warn-soft", "bad", "tool", "tool-soft",
];

export class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.hits = [];
    this.colours = undefined;
  }

  /** Reads the colours again at the next painting, after a change of the theme. */
  forget() {
    this.colours = undefined;
  }

  #begin() {
    const { canvas, context } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    if (!this.colours) {
      const style = getComputedStyle(canvas);
      this.colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue("--" + name).trim()]));
      this.font = style.getPropertyValue("font-family");
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    this.hits = [];
    this.gutter = width < NARROW ? 4 : GUTTER;
    return { width, height };
  }

  timeOf(pixels, view) {
    return (pixels / (this.canvas.clientWidth - this.gutter)) * (view.to - view.from);
  }

  timeAt(x, view) {
    return view.from + this.timeOf(x - this.gutter, view);
  }

  /** The item at this point; of several, the one painted last. */
  hit(x, y) {
    for (let i = this.hits.length - 1; i >= 0; i--) {
      const [left, right, top, bottom, item] = this.hits[i];
      if (x >= left - 2 && x <= right + 2 && y >= top && y <= bottom) return item;
    }
    return undefined;
  }

  whole(scene) {
    const { width, height } = this.#begin();
    const { view, layout, story } = scene;
    const scale = (width - this.gutter) / (view.to - view.from);
    const x = (time) => this.gutter + (time - view.from) * scale;
    const space = { ...scene, x, scale, width, height };
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.gutter, 0, width - this.gutter, height);
    this.context.clip();
    this.#grid(space);
    this.#spans(space);
    this.#turns(space);
    if (layout.doing !== undefined) this.#doing(space);
    this.#tools(space);
    if (layout.said !== undefined) this.#said(space);
    this.#steers(space);
    this.#moments(space);
    this.context.restore();
    if (this.gutter === GUTTER) {
      const label = (words, y) => Number.isFinite(y) && this.#text(words, 4, y, "ink-3", 11);
      label("turns", layout.turns + TURN / 2);
      label("phase", layout.doing + DOING / 2);
      label("tools", layout.tools + TOOL / 2);
      label("messages", layout.said + SAID / 2);
      label("steers", layout.steers + STEER / 2);
    }
    return story;
  }

  #text(words, x, y, colour, size = 11, weight = "") {
    const c = this.context;
    c.font = `${weight} ${size}px ${this.font}`.trim();
    c.textBaseline = "middle";
    c.fillStyle = this.colours[colour];
    c.fillText(visibleProse(words), x, y);
  }

  #line(x1, y1, x2, y2, colour, dash = [], thick = 1) {
    const c = this.context;
    c.strokeStyle = this.colours[colour];
    c.lineWidth = thick;
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x2, y2);
    c.stroke();
    c.setLineDash([]);
  }

  #bar(x, y, width, height, fill, edge) {
    const c = this.context;
    c.beginPath();
    if (width < 4) c.rect(x, y, Math.max(1.5, width), height);
    else c.roundRect(x, y, width, height, 4);
    c.fillStyle = this.colours[fill];
    c.fill();
    if (edge && width >= 4) {
      c.strokeStyle = this.colours[edge];
      c.lineWidth = 1;
      c.stroke();
    }
  }

  /** Writes text, clipped to `room` pixels. */
  #inside(words, x, y, room, colour, weight = "") {
    if (room < 18) return;
    const c = this.context;
    c.save();
    c.beginPath();
    c.rect(x, y - 10, room, 20);
    c.clip();
    this.#text(words, x, y, colour, 11, weight);
    c.restore();
  }

  #grid({ view, x, scale, width, height, story }) {
    const step = tick(scale, width < NARROW ? 64 : 96);
    const from = story.beganAt ?? view.from;
    const first = Math.max(0, Math.ceil((view.from - from) / step)) * step;
    for (let at = first; from + at <= view.to; at += step) {
      const px = Math.round(x(from + at)) + 0.5;
      this.#line(px, AXIS - 4, px, height, "line");
      const label = step < 1000 ? `${(at / 1000).toFixed(step < 100 ? 2 : 1)} s` : offset(at, false);
      if (px + 34 < width) this.#text(label, px + 4, AXIS / 2, "ink-3", 11);
    }
  }

  /** Periods without activity and open permission requests, across the lanes. */
  #spans({ story, view, x, now, layout, height }) {
    const c = this.context;
    for (const quiet of story.quiets) {
      const end = quiet.end ?? now;
      if (end < view.from || quiet.at > view.to) continue;
      const left = x(quiet.at);
      const right = x(end);
      this.#hatched(left, layout.turns, right - left, height - layout.turns, "warn-soft", "line");
      this.hits.push([left, right, layout.turns, height, quiet]);
    }
    for (const ask of story.asks.values()) {
      const end = ask.closedAt ?? now;
      if (end < view.from || ask.at > view.to) continue;
      const left = x(ask.at);
      const right = Math.max(left + 2, x(end));
      c.fillStyle = this.colours["warn-soft"];
      c.fillRect(left, layout.turns + TURN, right - left, layout.steers - layout.turns - TURN - 4);
      this.#line(left, layout.turns + TURN, left, layout.steers - 4, "warn", [], 1.5);
      if (!ask.tool) {
        this.#inside("? " + ask.text, left + 6, layout.tools + TOOL / 2, right - left - 8, "warn", "600");
      }
      this.hits.push([left, right, layout.tools, layout.steers, ask]);
    }
    for (const outage of story.outages) {
      if (outage.end < view.from || outage.at > view.to) continue;
      const left = x(outage.at);
      const right = Math.max(left + 3, x(outage.end));
      this.#hatched(left, AXIS, right - left, height - AXIS, "surface-2", "ink-3");
      this.hits.push([left, right, AXIS, height, outage]);
    }
  }

  /** A rectangle with diagonal lines. */
  #hatched(left, top, width, height, fill, edge) {
    const c = this.context;
    c.save();
    c.beginPath();
    c.rect(left, top, width, height);
    c.clip();
    c.fillStyle = this.colours[fill];
    c.fillRect(left, top, width, height);
    c.globalAlpha = 0.35;
    for (let at = left - height; at < left + width; at += 8) this.#line(at, top + height, at + height, top, edge);
    c.restore();
  }

  #turns({ story, view, x, now, layout }) {
    for (const turn of inView(story.turns, view, now)) {
      const left = x(turn.at);
      const right = x(turn.end ?? now);
      const bad = turn.how && turn.how !== "completed";
      const running = turn.end === undefined;
      const edge = bad ? "bad" : running ? "accent" : "line";
      this.#bar(left, layout.turns, right - left, TURN, running ? "accent-soft" : "surface-2", edge);
      const took = running ? "" : ` · ${duration(turn.end - turn.at)}`;
      const words = `turn ${turn.turn}` + (bad ? ` · ${turn.how}` : "") + took;
      const inner = Math.max(left, this.gutter);
      this.#inside(words, inner + 7, layout.turns + TURN / 2, right - inner - 10, running ? "accent" : "ink-2", "600");
      this.hits.push([left, right, layout.turns, layout.turns + TURN, turn]);
    }
  }

  /** The phases of the agent's progress, each with its name at its start. */
  #doing({ story, view, x, now, layout }) {
    let free = -Infinity;
    const y = layout.doing + DOING / 2;
    for (const step of inView(story.progress, view, now)) {
      const left = Math.max(x(step.at), this.gutter);
      const right = x(step.end ?? now);
      if (left < free || right - left < 3) continue;
      this.#line(left + 0.5, layout.doing + 2, left + 0.5, layout.doing + DOING - 2, "line");
      this.#inside(step.phase, left + 5, y, Math.min(right - left - 8, 220), "ink-3");
      free = left + 3;
    }
  }

  #tools({ story, view, x, now, layout, selected }) {
    const painted = new Array(layout.toolRows).fill(-1);
    for (const tool of inView(story.tools, view, now)) {
      const row = Math.min(tool.row, layout.toolRows - 1);
      const left = x(tool.at);
      const right = Math.max(left + 2, x(tool.end ?? now));
      if (right - left < 3 && Math.floor(left) <= painted[row] && tool !== selected) continue;
      painted[row] = Math.floor(right);
      const y = layout.tools + row * TOOL;
      const running = tool.end === undefined;
      const waiting = waitsForAnswer(tool);
      const failed = tool.ok === false;
      const plain = running && !waiting && tool.asks.length + tool.outages.length === 0;
      const fill = waiting ? "warn-soft" : plain ? "tool" : "tool-soft";
      this.#bar(left, y, right - left, TOOL - 4, fill, failed ? "bad" : waiting ? "warn" : "tool");
      for (const ask of waiting ? [] : tool.asks) {
        this.#bar(x(ask.at), y + 1, x(ask.closedAt) - x(ask.at), TOOL - 6, "warn-soft");
      }
      for (const outage of tool.outages) {
        this.#hatched(x(outage.at), y + 1, x(outage.end) - x(outage.at), TOOL - 6, "surface", "tool");
      }
      const inner = Math.max(left, this.gutter);
      const words = `${failed ? "✕ " : ""}${tool.tool} ${toolTime(tool, now)}  ${tool.text}`;
      const colour = plain ? "surface" : failed ? "bad" : waiting ? "warn" : "ink";
      this.#inside(words, inner + 6, y + TOOL / 2 - 2, right - inner - 10, colour, "500");
      this.hits.push([left, right, y, y + TOOL - 4, tool]);
    }
  }

  #said({ story, view, x, now, layout }) {
    const c = this.context;
    let free = -Infinity;
    let drawn = -Infinity;
    const y = layout.said + SAID / 2;
    const seen = inView(story.said, view, now);
    for (const [index, said] of seen.entries()) {
      const at = x(said.at);
      if (at - drawn < 2) continue;
      drawn = at;
      c.fillStyle = this.colours["ink-2"];
      c.beginPath();
      c.arc(at, y, 3, 0, Math.PI * 2);
      c.fill();
      this.hits.push([at - 5, at + 5, layout.said, layout.said + SAID, said]);
      if (at < free) continue;
      const next = seen[index + 1];
      const room = Math.min(260, next ? x(next.at) - at - 16 : 260);
      if (room > 50) {
        this.#inside(said.text.slice(0, 80).replace(/\s+/g, " "), at + 8, y, room, "ink-2");
        free = at + room;
      }
    }
  }

  #steers({ story, view, x, now, layout, width, height, selected }) {
    const free = new Array(layout.steerRows).fill(-Infinity);
    for (const steer of story.steers.values()) {
      const injected = claimOf(steer, "injected");
      const stop = injected?.at ?? steer.end ?? (isOpen(steer) ? now : steer.at);
      if (stop < view.from || steer.at > view.to) continue;
      const left = x(steer.at);
      const right = Math.max(left, x(stop));
      const words = this.#steerWords(steer, injected, now);
      this.context.font = `11px ${this.font}`;
      const end = right + 10 + this.context.measureText(visibleProse(words)).width;
      let row = free.findIndex((until) => until < left - 6);
      if (row < 0) row = free.indexOf(Math.min(...free));
      free[row] = end;
      const y = layout.steers + row * STEER + STEER / 2;
      const open = isOpen(steer) && !injected;
      this.#line(left, y, right, y, "steer", open ? [4, 3] : [], steer === selected ? 3 : 2);
      if (injected) this.#line(right, layout.turns + TURN, right, y, "steer", [2, 3]);
      this.#ring(left, y);
      if (injected) this.#diamond(right, y);
      else if (steer.ended) this.#cross(right, y);
      const room = this.context.measureText(visibleProse(words)).width;
      const beside = Math.min(right + 9, width - room - 6);
      if (beside < right + 9) this.#bar(beside - 4, y - 8, room + 8, 16, "surface");
      const colour = steer.ended && !injected ? "ink-3" : "steer";
      this.#text(words, beside, y, colour, 11, steer === selected ? "700" : "500");
      this.hits.push([left - 6, end, y - STEER / 2, Math.min(height, y + STEER / 2), steer]);
    }
  }

  #steerWords(steer, injected, now) {
    const number = `#${steer.seq}`;
    if (injected) return injected.afterMs === undefined ? number : `${number} ${fine(injected.afterMs)}`;
    if (steer.ended) return `${number} ${steer.ended}`;
    return `${number} ${duration(now - steer.at)} …`;
  }

  #ring(x, y) {
    const c = this.context;
    c.beginPath();
    c.arc(x, y, 4.5, 0, Math.PI * 2);
    c.fillStyle = this.colours.surface;
    c.fill();
    c.strokeStyle = this.colours.steer;
    c.lineWidth = 2;
    c.stroke();
  }

  #diamond(x, y) {
    const c = this.context;
    c.beginPath();
    c.moveTo(x, y - 6);
    c.lineTo(x + 6, y);
    c.lineTo(x, y + 6);
    c.lineTo(x - 6, y);
    c.closePath();
    c.fillStyle = this.colours.steer;
    c.fill();
  }

  #cross(x, y) {
    this.#line(x - 4, y - 4, x + 4, y + 4, "ink-3", [], 2);
    this.#line(x - 4, y + 4, x + 4, y - 4, "ink-3", [], 2);
  }

  #moments({ story, view, x, now, live, height, selected, hover }) {
    for (const mark of story.marks) {
      if (mark.at < view.from || mark.at > view.to) continue;
      const at = x(mark.at);
      const colour = { ok: "ok", bad: "bad", warn: "warn" }[mark.tone] ?? "ink-3";
      this.#line(at, AXIS, at, height, colour, [3, 3], 1.5);
      this.hits.push([at - 3, at + 3, AXIS - 4, AXIS + 6, mark]);
    }
    if (live && now <= view.to) this.#line(x(now), AXIS - 8, x(now), height, "accent", [], 1.5);
    if (hover) this.#line(hover.x + 0.5, AXIS, hover.x + 0.5, height, "ink-3", [2, 2]);
    if (selected && selected.at >= view.from && selected.at <= view.to) {
      const at = x(selected.at);
      this.#line(at, 0, at, height, "ink", [], 1.5);
      const c = this.context;
      c.fillStyle = this.colours.ink;
      c.beginPath();
      c.moveTo(at - 5, 0);
      c.lineTo(at + 5, 0);
      c.lineTo(at, 7);
      c.fill();
    }
  }

  /** The whole run in a small strip, with a frame around the part that the large canvas shows. */
  overview({ story, view, extent, now }) {
    const { width, height } = this.#begin();
    const scale = width / (extent.to - extent.from);
    const x = (time) => (time - extent.from) * scale;
    const c = this.context;
    for (const turn of story.turns) this.#bar(x(turn.at), 3, x(turn.end ?? now) - x(turn.at), 5, "accent-soft");
    let painted = -1;
    c.fillStyle = this.colours.tool;
    for (const tool of story.tools) {
      const left = Math.floor(x(tool.at));
      const right = Math.max(left + 1, x(tool.end ?? now));
      if (right <= painted) continue;
      c.fillRect(left, 10, right - left, 5);
      painted = right;
    }
    c.fillStyle = this.colours.steer;
    for (const steer of story.steers.values()) c.fillRect(x(steer.at) - 1, 17, 2.5, 5);
    const left = Math.max(0.5, x(view.from));
    const right = Math.min(width - 0.5, x(view.to));
    if (right - left < width - 4) {
      c.fillStyle = this.colours.accent + "22";
      c.fillRect(left, 0, right - left, height);
      c.strokeStyle = this.colours.accent;
      c.lineWidth = 1.5;
      c.strokeRect(left, 0.75, right - left, height - 1.5);
    }
  }
}

/** The items in view of a list that is sorted by start. A long item may start before the view. */
function inView(list, view, now) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle].at <= view.to) low = middle + 1;
    else high = middle;
  }
  const seen = [];
  for (let i = 0; i < low; i++) {
    const item = list[i];
    const end = item.kind === "said" ? item.at : item.end ?? now;
    if (end >= view.from) seen.push(item);
  }
  return seen;
}

const STEPS = [
  10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4,
  12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 144e5, 288e5, 864e5,
  1728e5, 6048e5, 2592e6, 7776e6,
];

function tick(scale, room) {
  return STEPS.find((step) => step * scale >= room) ?? STEPS.at(-1);
}
