// One run, folded from its events: what stands in the list, what is drawn on the timeline, and the receipts.
// Folding an event twice changes nothing; events come in the order of their cursors.

import { attempt } from "./dom.js";
import { millis } from "./format.js";

export const RUNGS = ["stored", "offered", "accepted", "injected", "seen", "answered"];

const ENDS_OF_ATTEMPTS = new Set(["attempt_lost", "run_ended"]);

export class Story {
  constructor(runId) {
    this.runId = runId;
    this.last = 0; // the newest cursor that is folded in
    this.items = []; // in order; each has cursor, at, kind, text
    this.itemOf = new Map(); // cursor of any event -> its item
    this.turns = [];
    this.tools = [];
    this.said = [];
    this.progress = [];
    this.quiets = [];
    this.marks = []; // moments that concern the whole run
    this.steers = new Map();
    this.asks = new Map();
    this.openTools = new Map();
    this.rows = []; // when each row of tools is free again
    this.beganAt = undefined;
    this.newestAt = undefined;
    this.endedAt = undefined;
    this.version = 0;
    this.early = []; // what has happened while the past was still being read
  }

  /** Takes in what happens now, or keeps it until the past is read; says whether there is something new to show. */
  hear(event) {
    if (!this.early) return this.fold(event);
    this.early.push(event);
    return false;
  }

  /** The past is being read. */
  catchUp() {
    this.early ??= [];
  }

  caughtUp() {
    for (const event of this.early ?? []) this.fold(event);
    this.early = undefined;
  }

  /** Takes an event in; says whether it was new. */
  fold(event) {
    if (event.cursor <= this.last) return false;
    this.last = event.cursor;
    const at = millis(event.at);
    this.beganAt ??= at;
    this.newestAt = at;
    this.version++;
    if (!attempt(() => this.#take(event, at))) this.#item(event, at, "note", `This page cannot show what happened here (${event.kind})`, { tone: "bad" });
    return true;
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

  /** What the hub answers about a steer knows more than its events: the mode it was delivered in, its expiry. */
  enrich(receipt) {
    const steer = this.steers.get(receipt.steer_id);
    if (!steer) return;
    steer.deliveredMode = receipt.delivered_mode;
    steer.expiresAt = receipt.expires_at;
    steer.edits = receipt.edits;
    steer.mode = receipt.mode;
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
        this.#item(event, at, "note", `Asked for by ${event.author.group} via ${event.author.origin}`);
        break;
      case "run_picked":
        this.endedAt = undefined;
        this.#item(event, at, "note", event.attempt > 1 ? `Attempt ${event.attempt} begins` : "Taken up by a worker");
        break;
      case "run_restarted":
        this.#mark(event, at, "idle", "Started again" + (event.fresh ? " in a new conversation" : ""));
        break;
      case "agent_started":
        this.#item(event, at, "note", `The agent is up: version ${event.version}, process ${event.pid}`);
        break;
      case "agent_found":
        this.#mark(event, at, "idle", `The hub came back and found the agent at work, process ${event.pid}`);
        break;
      case "session_named":
        this.#item(event, at, "note", `Conversation ${event.session_id}`);
        break;
      case "turn_started":
        this.turns.push(this.#item(event, at, "turn", `Turn ${event.turn}`, { turn: event.turn, end: undefined }));
        break;
      case "turn_ended":
        this.#turnEnded(event, at);
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
        this.#mark(event, at, "warn", `Turn ${event.turn} is interrupted`);
        break;
      case "asked":
        this.asks.set(`${event.attempt}/${event.ask}`, this.#item(event, at, "ask", event.question, {
          ask: event.ask, askKind: event.ask_kind, detail: event.detail, closedAt: undefined, answer: "",
        }));
        break;
      case "ask_answered":
        this.#askChanged(event, at, `${event.answer}, said by ${event.by.group} via ${event.by.origin}`);
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
        this.#item(event, at, "note", `The agent waits: ${event.reason}`);
        break;
      case "garbage":
        this.#item(event, at, "note", `${event.bytes} bytes that are no message: ${event.excerpt}`, { tone: "warn" });
        break;
      case "attempt_lost":
        this.#mark(event, at, "bad", `Attempt ${event.attempt} was lost: ${event.reason}`);
        break;
      case "stop_asked":
        this.#mark(event, at, "warn", `Stop asked for by ${event.author.group} via ${event.author.origin}`);
        break;
      case "limit_reached":
        this.#mark(event, at, "warn", event.reason);
        break;
      case "run_ended":
        this.endedAt = at;
        this.#mark(event, at, { done: "ok", stopped: "idle", review_requested: "warn" }[event.state] ?? "bad", ended(event));
        break;
      case "run_reviewed":
        this.#mark(event, at, "ok", `Reviewed: ${event.verdict}` + (event.note ? `, ${event.note}` : ""));
        break;
      case "completion_accepted":
        this.#mark(event, at, "ok", `Completion holds on ${event.branch}: ${event.files_changed.length} files changed, tests: ${event.test_result}`);
        break;
      case "completion_rejected":
        this.#mark(event, at, "bad", `Completion does not hold: ${event.missing.join("; ")}` + (event.last_chance ? "" : "; it is asked once more"));
        break;
      case "denied":
        this.#mark(event, at, "bad", `${event.author.group} via ${event.author.origin} may not ${event.what}: ${event.why}` + (event.times ? `, ${event.times} times` : ""));
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

  #toolStarted(event, at) {
    let row = this.rows.findIndex((freeAt) => freeAt <= at);
    if (row < 0) row = this.rows.push(0) - 1;
    this.rows[row] = Infinity;
    const tool = this.#item(event, at, "tool", event.summary || event.tool, {
      tool: event.tool, row, end: undefined, ok: undefined, outcome: "",
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
    this.itemOf.set(event.cursor, ask);
  }

  #quietOver(event, at) {
    const quiet = this.quiets.at(-1);
    if (!quiet) return;
    quiet.end ??= at;
    this.itemOf.set(event.cursor, quiet);
  }

  /** Nothing that belonged to the attempt goes on. */
  #breakOff(at, cursor) {
    for (const tool of this.openTools.values()) {
      tool.end = at;
      tool.ok = false;
      tool.outcome = "broken off";
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
        steer.news = `came back: ${event.reason}`;
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

function ended(event) {
  const words = { done: "Done", stopped: "Stopped", failed: "Failed", failed_contract: "Failed its contract", failed_timeout: "Timed out", review_requested: "Done; wants review" };
  const swept = event.processes_ended > 0 ? `; ${event.processes_ended} processes ended` : "";
  return (words[event.state] ?? event.state) + swept;
}

export const rungOf = (steer) => steer.rungs.at(-1)?.rung ?? "stored";
export const claimOf = (steer, rung) => steer.rungs.find((claim) => claim.rung === rung);

/** Nobody but the hub has it: it can be edited, withdrawn, promoted. */
export const isPending = (steer) => !steer.ended && rungOf(steer) === "stored";
export const isOpen = (steer) => !steer.ended;
