// The states and waits of a loop as lanes to scale: one lane for each kind of call, and one for each other phase.

import { h, keyed, text } from "./dom.js";
import { duration, millis, offset } from "./format.js";
import { hasEnded } from "./loops.js";

const FIRST = ["implement", "review", "ci", "fix"];
const WITH_CALLS = new Set(["implement", "fix", "check"]); // the calls of these phases are drawn
const WITHOUT_LANE = new Set(["prepare", "done", "stopped"]);
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const FINE = 20_000; // below this the axis has tenths of a second

/** The tone and the mark of what came of a call or a wait. Other results have neither. */
const RESULTS = [
  [/^(no findings|clean\b|green)/, "ok", "✓"],
  [/^(red\b|[1-9]\d* findings|failed|contract not kept)/, "bad", "✕"],
  [/^(unavailable|no result)/, "warn", "?"],
  [/^(skipped|not reviewed|not tested)/, "warn", "⇥"],
];

export function verdictOf(words) {
  const [, tone = "idle", mark = ""] = RESULTS.find(([form]) => form.test(words)) ?? [];
  return { tone, mark };
}

/** The times at which the loop was in one phase, as far as its news tell. */
function phases({ loop, news }, end) {
  const found = [];
  for (const { at, phase, text: words } of news) {
    const last = found.at(-1);
    if (last?.phase === phase) continue;
    if (last) Object.assign(last, { to: millis(at), why: words });
    found.push({ phase, from: millis(at), to: end });
  }
  if (news.length === 0) found.push({ phase: loop.phase, from: millis(loop.created_at), to: end });
  return found;
}

/** The name of the lane of a call. A repair belongs to the work that it repairs. */
function laneOf(call, calls) {
  if (call.kind !== "repair") return call.kind;
  return calls.findLast((one) => one.number < call.number && ["implement", "fix"].includes(one.kind))?.kind ?? "fix";
}

function ofCalls({ loop, progress }, now) {
  return loop.calls.map((call) => {
    const more = progress.calls.find((one) => one.number === call.number);
    return {
      key: `call-${call.number}`,
      lane: laneOf(call, loop.calls),
      from: millis(call.created_at),
      to: call.ended_at ? millis(call.ended_at) : now,
      words: call.ended_at ? call.result : "running",
      cut: more?.cut_short ?? false,
      open: !call.ended_at,
    };
  });
}

/** The waits for a review that is not a call: a person, or somebody outside, looks at the commit. */
function ofPeople({ loop }, periods, now) {
  const reviews = loop.calls.filter((call) => call.kind === "review").map((call) => millis(call.created_at));
  return periods
    .filter(({ phase, from, to }) =>
      phase === "check" && loop.reviewer !== "none" && !reviews.some((at) => at >= from - 1 && at <= to))
    .map(({ from, to, why }, at, all) => {
      const last = at === all.length - 1 && loop.check ? loop.check.review : "";
      const skipped = /^the wait was skipped/.test(why ?? "") || /^not reviewed/.test(last);
      const words = skipped ? "skipped" : last === "pending" ? "waits for a person" : last || "waited for a person";
      const open = to === now && !hasEnded(loop);
      return { key: `wait-${from}`, lane: "review", from, to, words, cut: skipped, open, waits: true };
    });
}

function ofPhases({ loop }, periods, now) {
  return periods
    .filter(({ phase }) => !WITH_CALLS.has(phase) && !WITHOUT_LANE.has(phase))
    .map(({ phase, from, to }) => {
      const open = to === now && !hasEnded(loop);
      return { key: `${phase}-${from}`, lane: phase, from, to, words: "", open, waits: phase === "parked" };
    });
}

/** The lanes with their segments, in the order of work: calls first, then other phases, a parked loop last. */
export function lanesOf(details, now) {
  const { loop } = details;
  const end = hasEnded(loop) && loop.ended_at ? millis(loop.ended_at) : now;
  const periods = phases(details, end);
  const segments = [...ofCalls(details, end), ...ofPeople(details, periods, end), ...ofPhases(details, periods, end)];
  const others = [...new Set(segments.map(({ lane }) => lane))].filter((name) => !FIRST.includes(name));
  others.sort((one, other) => (one === "parked") - (other === "parked"));
  const lanes = [...FIRST, ...others]
    .map((name) => ({ name, segments: segments.filter(({ lane }) => lane === name).sort((a, b) => a.from - b.from) }))
    .filter((lane) => lane.segments.length > 0);
  return { from: millis(loop.created_at), to: Math.max(end, millis(loop.created_at) + 1_000), lanes };
}

const segmentWords = ({ from, to, words, cut }) =>
  [duration(to - from), cut && !words.startsWith("skipped") ? `cut short: ${words}` : words].filter(Boolean).join(", ");

export class LoopLanes {
  constructor() {
    this.lanes = h("div", { class: "lanes" });
    this.axis = h("div", { class: "lane-axis", "aria-hidden": "true" },
      ...TICKS.map(() => h("span", {})));
    this.node = h("section", { class: "loop-lanes", "aria-label": "States and waits, to scale" }, this.lanes, this.axis);
  }

  draw(details) {
    const { from, to, lanes } = lanesOf(details, Date.now());
    const place = (time) => `${((time - from) / (to - from)) * 100}%`;
    keyed(this.lanes, lanes, ({ name }) => name,
      ({ name }) => h("div", { class: "lane", role: "img", "data-lane": name },
        h("span", { class: "lane-name" }, name), h("span", { class: "lane-track" })),
      (node, lane) => {
        const count = lane.segments.length;
        const spoken = `${lane.name}, ${count === 1 ? "once" : `${count} times`}: `
          + lane.segments.map(segmentWords).join("; ");
        if (node.getAttribute("aria-label") !== spoken) node.setAttribute("aria-label", spoken);
        keyed(node.querySelector(".lane-track"), lane.segments, ({ key }) => key,
          () => h("span", { class: "segment" }, h("span", { class: "segment-words" })),
          (bar, segment) => drawSegment(bar, segment, place));
      });
    [...this.axis.children].forEach((tick, at) => text(tick, offset((to - from) * TICKS[at], to - from < FINE)));
  }
}

function drawSegment(bar, segment, place) {
  const { tone, mark } = verdictOf(segment.words);
  bar.style.left = place(segment.from);
  bar.style.right = `calc(100% - ${place(segment.to)})`;
  bar.dataset.tone = segment.open ? "live" : tone;
  bar.dataset.waits = String(Boolean(segment.waits));
  bar.dataset.cut = String(Boolean(segment.cut));
  bar.title = segmentWords(segment);
  text(bar.firstChild, segment.cut ? "⇥" : segment.open ? "" : mark);
}
