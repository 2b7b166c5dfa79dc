// The loaded autopilot loops. An event of a loop, or of one of its runs, loads the loop again.

import { hub } from "./hub.js";
import { capitalized, oneLine } from "./format.js";

const MAX_ENDED = 3; // a search or the filter of ended runs lists all
const ENDED = new Set(["done", "stopped"]);
const TONES = { parked: "warn", done: "ok", stopped: "idle" };
const ICONS = { parked: "asks", done: "done", stopped: "stopped" };

export const hasEnded = (loop) => ENDED.has(loop.phase);

/** Whether the loop waits for the review of a person. */
export const waitsForReview = (loop) =>
  loop.phase === "check" && loop.reviewer === "me" && loop.check?.review === "pending";

export const needsPerson = (loop) => loop.phase === "parked" || waitsForReview(loop);

const spoken = (name) => capitalized(name.replaceAll("_", " "));

/** The label, icon and tone of a loop. A phase that this page does not know is shown by its name. */
export function loopStanding(loop) {
  if (loop.phase === "parked") {
    return { word: `Parked: ${loop.parked.reason.replaceAll("_", " ")}`, icon: "asks", tone: "warn" };
  }
  if (waitsForReview(loop)) return { word: "Waiting for your review", icon: "review", tone: "warn" };
  return { word: spoken(loop.phase), icon: ICONS[loop.phase] ?? "running", tone: TONES[loop.phase] ?? "live" };
}

/** What a loop asks, what came of it, or its task, on one line. */
export const loopLine = (loop) => oneLine(loop.parked?.question || loop.result || loop.prompt, 120);

export class Loops {
  constructor(changed) {
    this.changed = changed;
    this.byId = new Map();
    this.runs = new Map(); // by run: the id of its loop
    this.wanted = new Set();
  }

  get(id) {
    return this.byId.get(id);
  }

  async load() {
    const { loops } = await hub.listLoops();
    this.byId.clear();
    for (const loop of loops) this.#keep(loop);
    this.changed();
  }

  put(loop) {
    this.#keep(loop);
    this.changed();
  }

  #keep(loop) {
    this.byId.set(loop.loop_id, loop);
    for (const call of loop.calls) this.runs.set(call.run_id, loop.loop_id);
  }

  /** Loads the loop again that an event concerns. Returns the id of this loop, if there is one. */
  take(event) {
    if (event.kind === "loop_moved") {
      this.#refresh(event.run_id);
      return event.run_id;
    }
    return this.runs.get(event.run_id);
  }

  #refresh(id) {
    this.wanted.add(id);
    this.timer ??= setTimeout(async () => {
      this.timer = undefined;
      const ids = [...this.wanted];
      this.wanted.clear();
      for (const one of ids) {
        // The event stream reconnects when the hub answers again, and then all loops are loaded again.
        await hub.getLoop(one).then(({ loop }) => this.put(loop), () => {});
      }
    }, 100);
  }

  /** The loops that match the words and the filter: those that need a person first, then live ones, then ended ones. */
  listed(words, filter) {
    const all = [...this.byId.values()].filter((loop) => matches(loop, words));
    const newest = (a, b) => (a.created_at < b.created_at ? 1 : -1);
    const needs = all.filter(needsPerson).sort(newest);
    const live = all.filter((loop) => !hasEnded(loop) && !needsPerson(loop)).sort(newest);
    const ended = all.filter(hasEnded).sort((a, b) => ((a.ended_at ?? "") < (b.ended_at ?? "") ? 1 : -1));
    if (filter === "needs") return needs;
    if (filter === "live") return [...needs, ...live];
    if (filter === "ended") return ended;
    return [...needs, ...live, ...(words.length > 0 ? ended : ended.slice(0, MAX_ENDED))];
  }

  needing() {
    return [...this.byId.values()].filter(needsPerson).length;
  }
}

function matches(loop, words) {
  const { loop_id, prompt, agent, worker, repo, branch, phase, result } = loop;
  const searched = [loop_id, prompt, agent, worker, repo, branch, phase, result].join("\n").toLowerCase();
  return words.every((word) => searched.includes(word));
}
