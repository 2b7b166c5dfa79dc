// The state of one run, folded from its events: the items of the activity list, of the timeline, and the receipts.
// Events arrive in the order of their cursors; an event that was already folded is ignored.

import { attempt } from "./dom.js";
import { authorWords, idleWords, millis, stateWords } from "./format.js";

export const RUNGS = ["stored", "offered", "accepted", "injected", "seen", "answered"];

const ENDS_OF_ATTEMPTS = new Set(["attempt_lost", "run_ended"]);

export class Story {
  constructor(runId) {
    this.runId = runId;
    this.last = 0; // the newest folded cursor
    this.items = []; // in order; each has cursor, at, kind, text
    this.itemOf = new Map(); // cursor of any event -> its item
    this.turns = [];
    this.tools = [];
    this.said = [];
    this.progress = [];
    this.quiets = [];
    this.outages = []; // times without a hub, each from the last event before to the moment the agent was found again
    this.marks = []; // moments that concern the whole run
    this.steers = new Map();
    this.asks = new Map();
    this.openTools = new Map();
    this.rows = []; // for each row of tools, the time from which it is free
    this.firstAt = undefined;
    this.queuedAt = undefined;
    this.startedAt = undefined;
    this.beforeAt = undefined; // the time of the event before the newest
    this.newestAt = undefined;
    this.endedAt = undefined;
    this.version = 0;
    this.early = []; // live events that arrived while past events are loaded
  }

  /** Folds a live event, or buffers it while past events are loaded. Returns whether the state changed. */
  apply(event) {
    if (!this.early) return this.fold(event);
    this.early.push(event);
    return false;
  }

  /** Buffers live events until `caughtUp`. */
  catchUp() {
    this.early ??= [];
  }

  caughtUp() {
    for (const event of this.early ?? []) this.fold(event);
    this.early = undefined;
  }

  /** Folds an event; returns whether it was new. */
  fold(event) {
    if (event.cursor <= this.last) return false;
    this.last = event.cursor;
    const at = millis(event.at);
    this.firstAt ??= at;
    this.beforeAt = this.newestAt;
    this.newestAt = at;
    this.version++;
    if (!attempt(() => this.#take(event, at))) {
      this.#item(event, at, "note", `Event cannot be displayed (${event.kind})`, { tone: "bad" });
    }
    return true;
  }

  /** Time zero: the start of the run, or its creation while it is queued. Refused dispatches may come before it. */
  get beganAt() {
    return this.startedAt ?? this.queuedAt ?? this.firstAt;
  }

  /** Where the timeline starts: at time zero, or at a steer that was stored while the run was queued. */
  axisStart() {
    const [first] = this.steers.values();
    return first ? Math.min(first.at, this.beganAt) : this.beganAt;
  }

  /** Where the timeline of a run ends that is not active. A review may come days later. */
  axisEnd() {
    return this.endedAt ?? this.newestAt;
  }

  openAsks() {
    return [...this.asks.values()].filter((ask) => !ask.closedAt);
  }

  /** The receipts, newest first. */
  receipts() {
    return [...this.steers.values()].sort((a, b) => b.seq - a.seq);
  }

  runningTools() {
    return [...this.openTools.values()];
  }

  /** Adds what the events of a steer do not contain: the delivered mode, the expiry, and the times of the receipt. */
  enrich(receipt) {
    const steer = this.steers.get(receipt.steer_id);
    if (!steer) return;
    steer.deliveredMode = receipt.delivered_mode;
    steer.expiresAt = receipt.expires_at;
    steer.edits = receipt.edits;
    steer.mode = receipt.mode;
    const storedAt = millis(receipt.rungs[0].at);
    for (const { rung, at, after_ms: afterMs } of receipt.rungs) {
      const claim = claimOf(steer, rung);
      if (!claim) continue; // its event follows
      claim.at = millis(at);
      claim.afterMs = afterMs ?? Math.max(0, Math.trunc(claim.at - storedAt));
    }
    this.version++;
  }

  #item(event, at, kind, text, more = {}) {
    const item = { cursor: event.cursor, at, kind, text, event, index: this.items.length, ...more };
    this.items.push(item);
    this.itemOf.set(event.cursor, item);
    return item;
  }

  #mark(event, at, tone, text) {
    const item = this.#item(event, at, "note", text, { tone });
    this.marks.push(item);
    return item;
  }

  #take(event, at) {
    if (ENDS_OF_ATTEMPTS.has(event.kind)) this.#breakOff(at, event.cursor);
    switch (event.kind) {
      case "run_queued":
        this.queuedAt ??= at;
        this.#item(event, at, "note", `Created by ${authorWords(event.author)}`);
        break;
      case "run_picked":
        this.startedAt ??= at;
        this.endedAt = undefined;
        this.#item(event, at, "note", event.attempt > 1 ? `Attempt ${event.attempt} started` : "Started");
        break;
      case "run_restarted":
        this.#mark(event, at, "idle", "Restarted" + (event.fresh ? " with a new session" : ""));
        break;
      case "agent_started":
        this.#item(event, at, "note", `Agent started (version ${event.version}, pid ${event.pid})`);
        break;
      case "agent_found":
        this.#agentFound(event, at);
        break;
      case "session_named":
        this.#item(event, at, "note", `Session ${event.session_id}`);
        break;
      case "turn_started":
        this.turns.push(this.#item(event, at, "turn", `Turn ${event.turn}`, { turn: event.turn, end: undefined }));
        break;
      case "turn_ended":
        this.#turnEnded(event, at);
        break;
      case "idle":
        this.#item(event, at, "note", idleWords(event.until));
        break;
      case "idle_over":
        break;
      case "said":
        this.said.push(this.#item(event, at, "said", event.text));
        break;
      case "tool_started":
        this.#toolStarted(event, at);
        break;
      case "tool_finished":
        this.#toolFinished(event, at);
        break;
      case "progressed":
        this.#progressed(event, at);
        break;
      case "interrupting":
        this.#mark(event, at, "warn", `Interrupting turn ${event.turn}`);
        break;
      case "asked":
        this.#asked(event, at);
        break;
      case "ask_answered":
        this.#askChanged(event, at, `${event.answer}, by ${authorWords(event.by)}`);
        break;
      case "ask_closed":
        this.#askChanged(event, at, event.how);
        break;
      case "quiet":
        this.quiets.push(this.#item(event, at, "quiet", event.reason, { end: undefined }));
        break;
      case "quiet_over":
        this.#quietOver(event, at);
        break;
      case "waiting":
        this.#item(event, at, "note", `Waiting: ${event.reason}`);
        break;
      case "garbage":
        this.#item(event, at, "note", `${event.bytes} bytes of invalid output: ${event.excerpt}`, { tone: "warn" });
        break;
      case "attempt_lost":
        this.#mark(event, at, "bad", `Attempt ${event.attempt} failed: ${event.reason}`);
        break;
      case "stop_asked":
        this.#mark(event, at, "warn", `Stop requested by ${authorWords(event.author)}`);
        break;
      case "alarm_dismissed":
        this.#item(event, at, "note", `Alarm dismissed by ${authorWords(event.author)}`);
        break;
      case "limit_reached":
        this.#mark(event, at, "warn", event.reason);
        break;
      case "run_ended":
        this.endedAt = at;
        this.#mark(event, at, END_TONES[event.state] ?? "bad", ended(event));
        break;
      case "run_reviewed":
        this.#mark(event, at, "ok", `Reviewed: ${event.verdict}` + (event.note ? `, ${event.note}` : ""));
        break;
      case "completion_accepted":
        this.#mark(event, at, "ok", completionWords(event));
        break;
      case "completion_rejected":
        this.#mark(event, at, "bad", `Completion invalid: ${event.missing.join("; ")}`
          + (event.last_chance ? "" : "; asked for a correction"));
        break;
      case "denied":
        this.#mark(event, at, "bad", `Denied for ${authorWords(event.author)}: ${event.what}, ${event.why}`
          + (event.times ? `, ${event.times} times` : ""));
        break;
      case "noted":
        this.#item(event, at, "note", event.text);
        break;
      case "used":
        break;
      default:
        if (event.kind.startsWith("steer_")) this.#aboutSteer(event, at);
        else this.#item(event, at, "note", event.kind.replaceAll("_", " "));
    }
  }

  #turnEnded(event, at) {
    const turn = this.turns.findLast((one) => one.turn === event.turn) ?? this.turns.at(-1);
    if (!turn) return;
    turn.end = at;
    turn.how = event.how;
    turn.text = `Turn ${event.turn}: ${event.how}` + (event.reason ? `, ${event.reason}` : "");
    this.itemOf.set(event.cursor, turn);
    this.#closeProgress(at);
  }

  /** The hub was down from some time after the event before until now. */
  #agentFound(event, at) {
    const mark = this.#mark(event, at, "idle", `Hub restarted and reattached to the agent (pid ${event.pid})`);
    const outage = { kind: "outage", at: this.beforeAt ?? at, end: at, text: "The hub was down.", mark };
    this.outages.push(outage);
    for (const tool of this.openTools.values()) tool.outages.push(outage);
  }

  /** Links a permission request to the tool call that waits for it. */
  #asked(event, at) {
    const ask = this.#item(event, at, "ask", event.question, {
      ask: event.ask, askKind: event.ask_kind, detail: event.detail, closedAt: undefined, answer: "",
    });
    this.asks.set(`${event.attempt}/${event.ask}`, ask);
    this.#waits(event, at);
    if (event.ask_kind === "question") return;
    const open = [...this.openTools.values()].filter((tool) => !waitsForAnswer(tool));
    ask.tool = open.find((tool) => event.question.includes(tool.tool) && event.question.includes(firstWords(tool.text)))
      ?? open.at(-1);
    ask.tool?.asks.push(ask);
  }

  #toolStarted(event, at) {
    let row = this.rows.findIndex((freeAt) => freeAt <= at);
    if (row < 0) row = this.rows.push(0) - 1;
    this.rows[row] = Infinity;
    const tool = this.#item(event, at, "tool", event.summary || event.tool, {
      tool: event.tool, row, end: undefined, ok: undefined, outcome: "", asks: [], outages: [],
    });
    this.tools.push(tool);
    this.openTools.set(`${event.attempt}/${event.call}`, tool);
  }

  #toolFinished(event, at) {
    const key = `${event.attempt}/${event.call}`;
    const tool = this.openTools.get(key);
    if (!tool) return;
    tool.end = at;
    tool.ok = event.ok;
    tool.outcome = event.summary;
    tool.finished = event;
    this.rows[tool.row] = at;
    this.openTools.delete(key);
    this.itemOf.set(event.cursor, tool);
  }

  #progressed(event, at) {
    this.#closeProgress(at);
    this.progress.push({ at, end: undefined, phase: event.phase, text: event.summary });
    const before = this.items.at(-1);
    if (before) this.itemOf.set(event.cursor, before);
  }

  /** Begins a phase of waiting; the phase before it continues after the answer. */
  #waits(event, at) {
    const running = this.progress.at(-1);
    const before = running?.end === undefined ? running?.before ?? running : undefined;
    this.#closeProgress(at);
    const phase = event.ask_kind === "question" ? "waiting for an answer" : "waiting for approval";
    this.progress.push({ at, end: undefined, phase, text: event.question, waits: true, before });
  }

  #goesOn(at) {
    const running = this.progress.at(-1);
    if (!running?.waits || running.end !== undefined || this.openAsks().length > 0) return;
    running.end = at;
    if (running.before) this.progress.push({ at, end: undefined, phase: running.before.phase, text: running.before.text });
  }

  #closeProgress(at) {
    const running = this.progress.at(-1);
    if (running && running.end === undefined) running.end = at;
  }

  #askChanged(event, at, answer) {
    const ask = this.asks.get(`${event.attempt}/${event.ask}`);
    if (!ask) return;
    ask.closedAt ??= at;
    ask.end ??= at;
    ask.answer ||= answer;
    this.#goesOn(at);
    this.itemOf.set(event.cursor, ask);
  }

  #quietOver(event, at) {
    const quiet = this.quiets.at(-1);
    if (!quiet) return;
    quiet.end ??= at;
    this.itemOf.set(event.cursor, quiet);
  }

  /** Ends all that is open in an attempt that has ended. */
  #breakOff(at, cursor) {
    for (const tool of this.openTools.values()) {
      tool.end = at;
      tool.ok = false;
      tool.outcome = "aborted";
      this.rows[tool.row] = at;
    }
    this.openTools.clear();
    const turn = this.turns.at(-1);
    if (turn && turn.end === undefined) turn.end = at;
    const quiet = this.quiets.at(-1);
    if (quiet) quiet.end ??= at;
    for (const ask of this.asks.values()) ask.closedAt ??= at;
    this.#closeProgress(at);
    this.itemOf.delete(cursor);
  }

  #aboutSteer(event, at) {
    const id = event.steer_id;
    let steer = this.steers.get(id);
    if (event.kind === "steer_stored") {
      steer = this.#item(event, at, "steer", event.text, {
        id, seq: event.seq, mode: event.mode, author: event.author, edits: 0, rungs: [], ended: undefined,
      });
      this.steers.set(id, steer);
      this.#rung(steer, "stored", at, "committed to the ledger");
      return;
    }
    if (!steer) return;
    this.itemOf.set(event.cursor, steer);
    switch (event.kind) {
      case "steer_raised":
        this.#rung(steer, event.rung, at, event.evidence);
        break;
      case "steer_returned":
        steer.rungs = steer.rungs.filter((claim) => claim.rung === "stored");
        steer.news = `pending again: ${event.reason}`;
        break;
      case "steer_carried":
        steer.carriedTo = event.carried_to;
        break;
      case "steer_edited":
        steer.text = event.text;
        steer.edits++;
        break;
      case "steer_promoted":
        steer.mode = "steer";
        break;
      case "steer_ended":
        steer.ended = event.ended;
        steer.reason = event.reason;
        steer.end = at;
        break;
    }
  }

  #rung(steer, rung, at, evidence) {
    if (steer.rungs.some((claim) => claim.rung === rung)) return;
    steer.rungs.push({ rung, at, evidence });
  }
}

const firstWords = (words) => words.trim().split("\n", 1)[0].slice(0, 40);

/** Whether a tool call waits for the answer to its permission request. */
export const waitsForAnswer = (tool) => tool.asks.some((ask) => !ask.closedAt);

/** How long a tool call has run, without the time it waited for an answer. */
export function runningTime(tool, now) {
  const waited = tool.asks.reduce((sum, ask) => sum + ((ask.closedAt ?? now) - ask.at), 0);
  return Math.max(0, (tool.end ?? now) - tool.at - waited);
}

const REPLAY_TIME = 2_000; // within this time after an outage the hub has read what the agent wrote meanwhile

/** Whether a tool call ended while the hub was down, so that only the latest possible end is known. */
export const endIsUncertain = (tool) =>
  tool.end !== undefined && tool.outages.some((outage) => tool.end - outage.end < REPLAY_TIME);

const END_TONES = { done: "ok", stopped: "idle", review_requested: "warn" };

function ended(event) {
  const count = event.processes_ended;
  return stateWords(event.state) + (count > 0 ? `; ${count} ${count === 1 ? "process" : "processes"} ended` : "");
}

function completionWords({ branch, files_changed: files, test_result: tests }) {
  const changed = `${files.length} ${files.length === 1 ? "file" : "files"} changed`;
  return `Completion valid on ${branch}: ${changed}, tests: ${tests}`;
}

export const rungOf = (steer) => steer.rungs.at(-1)?.rung ?? "stored";
export const claimOf = (steer, rung) => steer.rungs.find((claim) => claim.rung === rung);

/** Whether a steer is stored and not yet sent to the agent: it can be edited, withdrawn and promoted. */
export const isPending = (steer) => !steer.ended && rungOf(steer) === "stored";
export const isOpen = (steer) => !steer.ended;
