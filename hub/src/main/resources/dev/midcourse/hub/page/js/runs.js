// The loaded runs. Frequent events update a run in place; after any other event the run is loaded again.

import { hub } from "./hub.js";
import { isAsking, isLive, needOf, needsAttention } from "./format.js";

const PAGE = 200;
const LIVE_PAGE = 500;
export const MAX_LIVE = 10_000;
const MAX_REQUESTS = 4;
// Kinds of events that change nothing of what the list shows.
const IGNORED = new Set([
  "said", "tool_started", "tool_finished", "session_named", "garbage", "noted", "steer_raised", "steer_returned",
]);

export class Runs {
  constructor(changed) {
    this.changed = changed;
    this.byId = new Map();
    this.next = undefined;
    this.leftOut = false; // whether there are more than MAX_LIVE live runs
    this.loaded = false;
    this.loadingOlder = false;
    this.wanted = new Set();
    this.asking = 0;
    this.requests = 0;
    this.askedAt = new Map(); // by id: the number of the request that the stored run is from
  }

  async load() {
    const number = ++this.requests;
    const page = await hub.listRuns({ limit: PAGE });
    this.next ??= page.next;
    this.loaded = true;
    this.#keep(page.runs, number);
    if (!page.next) return;
    await this.#loadAll({ needs: true }, Infinity); // what needs attention is never left out
    this.leftOut = await this.#loadAll({ state: "queued,running" }, MAX_LIVE);
    this.changed();
  }

  /** Loads the pages of a query, up to a number of runs. Returns whether there are more. */
  async #loadAll(query, most) {
    let next;
    for (let count = 0; count < most; count += LIVE_PAGE) {
      const number = ++this.requests;
      const page = await hub.listRuns({ ...query, limit: LIVE_PAGE, ...(next && { older_than: next }) });
      this.#keep(page.runs, number);
      next = page.next;
      if (!next) break;
    }
    return Boolean(next);
  }

  #keep(runs, number) {
    for (const run of runs) {
      this.#set(run, number);
      if (isAsking(run)) this.refresh(run.run_id);
    }
    this.changed();
  }

  /** Loads the next page of older runs. While it loads, a further call does nothing. */
  async loadOlder() {
    if (!this.next || this.loadingOlder) return;
    this.loadingOlder = true;
    this.changed();
    try {
      const number = ++this.requests;
      const page = await hub.listRuns({ limit: PAGE, older_than: this.next });
      this.next = page.next;
      this.#keep(page.runs, number);
    } finally {
      this.loadingOlder = false;
      this.changed();
    }
  }

  get(id) {
    return this.byId.get(id);
  }

  /**
   * Stores a run as the hub sent it for the request with this number, unless a later request has brought it already:
   * responses can arrive in another order. The hub sends a run without its open question, so a known question is kept
   * while the run waits.
   */
  #set(run, number) {
    if (number < (this.askedAt.get(run.run_id) ?? 0)) return;
    this.askedAt.set(run.run_id, number);
    const before = this.byId.get(run.run_id);
    const keeps = run.question === undefined && before?.question !== undefined && before.needs === run.needs;
    this.byId.set(run.run_id, keeps ? { ...run, question: before.question } : run);
  }

  /** Stores a run that an action returned, and loads it again: events may have changed it since. */
  put(run) {
    this.#set(run, ++this.requests);
    this.changed();
    this.refresh(run.run_id);
  }

  /** Loads a run and stores it. */
  async read(id, signal) {
    const number = ++this.requests;
    this.#set(await this.#withQuestion(await hub.getRun(id, signal)), number);
    this.changed();
  }

  take(event) {
    const run = this.byId.get(event.run_id);
    if (!run) {
      this.refresh(event.run_id);
    } else if (event.kind === "progressed") {
      const { phase, summary, tool, seq, at } = event;
      run.progress = { phase, summary, tool, seq, at };
      this.changed();
    } else if (event.kind === "used") {
      const { spent } = run;
      run.spent = {
        input_tokens: spent.input_tokens + event.more.input_tokens,
        output_tokens: spent.output_tokens + event.more.output_tokens,
        cost_usd: spent.cost_usd + event.more.cost_usd,
      };
      this.changed();
    } else if (!IGNORED.has(event.kind)) {
      this.refresh(event.run_id);
    }
  }

  /** Loads a run again soon; several calls before that cause one request. */
  refresh(id) {
    this.wanted.add(id);
    if (this.asking < MAX_REQUESTS) this.#loadWanted();
  }

  async #loadWanted() {
    this.asking++;
    try {
      await new Promise((resolve) => setTimeout(resolve, 60));
      for (const id of this.wanted) {
        this.wanted.delete(id);
        // The event stream reconnects when the hub answers again, and then all runs are loaded again.
        await this.read(id).catch(() => {});
      }
    } finally {
      this.asking--;
    }
  }

  /** Adds the open question to a run that waits for an answer. */
  async #withQuestion(run) {
    if (!isAsking(run)) return run;
    const { asks } = await hub.listAsks(run.run_id);
    return { ...run, question: asks.findLast((ask) => !ask.closed_at)?.question };
  }

  /** The runs that match the words and the filter, grouped and sorted as the list shows them. */
  groups(words, filter, now) {
    const groups = { needs: [], running: [], queued: [], ended: [] };
    for (const run of this.byId.values()) {
      if (!matches(run, words)) continue;
      if (needsAttention(run, now)) groups.needs.push(run);
      else if (run.state === "running") groups.running.push(run);
      else if (run.state === "queued") groups.queued.push(run);
      else groups.ended.push(run);
    }
    const newest = (a, b) => (a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? 1 : -1);
    groups.needs.sort((a, b) => needOf(a).rank - needOf(b).rank || newest(a, b));
    groups.running.sort(newest);
    groups.queued.sort((a, b) => (a.place_in_queue ?? 0) - (b.place_in_queue ?? 0));
    groups.ended.sort((a, b) => ((a.ended_at ?? "") < (b.ended_at ?? "") ? 1 : -1));
    if (filter === "needs") return { needs: groups.needs };
    if (filter === "live") {
      return { needs: groups.needs.filter(isLive), running: groups.running, queued: groups.queued };
    }
    if (filter === "ended") return { ended: [...groups.needs.filter((run) => !isLive(run)), ...groups.ended] };
    return groups;
  }

  needing(now) {
    return [...this.byId.values()].filter((run) => needsAttention(run, now)).length;
  }
}

function matches(run, words) {
  if (words.length === 0) return true;
  const { run_id, prompt, agent, worker, dir, state, needs = "", result = "" } = run;
  const searched = [run_id, prompt, agent, worker, dir, state, needs, result].join("\n").toLowerCase();
  return words.every((word) => searched.includes(word));
}
