// The client of the hub's API: requests, and the event stream, which resumes after its last cursor.

import { OtherHub, SignInError, session } from "./session.js";

/** The hub refused the request; carries the status and the problem document. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `the hub answered ${status}`);
    this.status = status;
    this.code = problem.code ?? "";
    this.field = problem.field ?? "";
    this.rule = problem.rule ?? "";
  }
}

/** The hub did not answer. */
export class Unreachable extends Error {
  constructor(words = "The hub does not answer.") {
    super(words);
  }
}

/** Another program answered in place of the hub. */
class Impersonated extends Unreachable {}

async function send(method, path, body, signal) {
  const headers = { Authorization: `Bearer ${await session.accessToken(signal)}`, "Midcourse-Origin": "page" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  return fetch(`/api/v1${path}`, {
    method,
    signal,
    cache: "no-store",
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Sends a request; once more with new proofs if the hub does not know the access token, as after its restart. */
async function request(method, path, body, signal) {
  let response;
  try {
    response = await send(method, path, body, signal);
    if (response.status === 401) {
      session.connectionLost();
      response = await send(method, path, body, signal);
    }
  } catch (error) {
    if (error.name === "AbortError") throw error;
    session.connectionLost();
    if (error instanceof OtherHub) throw new Impersonated(error.message);
    if (!(error instanceof SignInError)) throw new Unreachable();
    document.dispatchEvent(new CustomEvent("midcourse:locked", { detail: error.message }));
    throw new Refused(401, { detail: error.message });
  }
  if (response.ok) return response;
  throw new Refused(response.status, await response.json().catch(() => ({})));
}

const json = (response) => response.json();

/** Reads the last lines of a file within `maxBytes`, with the file's size and the number of bytes left out. */
async function tail(path, maxBytes) {
  const response = await request("GET", `${path}&tail=${maxBytes}`);
  const size = Number(response.headers.get("Midcourse-Size"));
  const end = new Uint8Array(await response.arrayBuffer());
  const line = end.indexOf(NEWLINE) + 1;
  const from = end.length < size && line < end.length ? line : 0;
  return { words: new TextDecoder().decode(end.subarray(from)), size, leftOut: size - end.length + from };
}

/** Reads a patch; undefined if the run has no checkout. */
async function diff(path) {
  const response = await request("GET", path);
  return response.headers.get("Midcourse-Patch") === "none" ? undefined : response.text();
}

/** Reads the changes of a loop: the patch, and the commits between which they were made. */
async function loopDiff(path) {
  const response = await request("GET", path);
  const { headers } = response;
  return {
    patch: headers.get("Midcourse-Patch") === "none" ? undefined : await response.text(),
    from: headers.get("Midcourse-From") ?? "",
    head: headers.get("Midcourse-Head") ?? "",
  };
}

const NEWLINE = 10;
const get = (path, signal) => request("GET", path, undefined, signal).then(json);
const post = (path, body) => request("POST", path, body).then(json);
const patch = (path, body) => request("PATCH", path, body).then(json);

const runPath = (id) => `/runs/${encodeURIComponent(id)}`;
const sessionPath = (id) => `/sessions/${encodeURIComponent(id)}`;
const schedulePath = (id) => `/schedules/${encodeURIComponent(id)}`;
const loopPath = (id) => `/loops/${encodeURIComponent(id)}`;
const chatPath = (id) => `/chats/${encodeURIComponent(id)}`;
const steerPath = (id) => `/steers/${encodeURIComponent(id)}`;
const askPath = (runId, askId) => `${runPath(runId)}/asks/${encodeURIComponent(askId)}`;
const logPath = (id, stream) => `${runPath(id)}/log?stream=${stream}`;

export const hub = {
  getHealth: () => get("/health"),
  listAgents: () => get("/agents"),
  listSessions: () => get("/sessions"),
  changeSession: (id, body) => patch(sessionPath(id), body),
  revokeSession: (id) => request("DELETE", sessionPath(id)).then(json),

  listSchedules: () => get("/schedules"),
  runSchedule: (id) => post(`${schedulePath(id)}/run`),
  pauseSchedule: (id) => post(`${schedulePath(id)}/pause`),
  resumeSchedule: (id) => post(`${schedulePath(id)}/resume`),
  cancelSchedule: (id) => post(`${schedulePath(id)}/cancel`),

  listRuns: (query) => get(`/runs?${new URLSearchParams(query)}`),
  createRun: (body) => post("/runs", body),
  getRun: (id, signal) => get(runPath(id), signal),
  dismissAlarm: (id) => post(`${runPath(id)}/dismiss`),
  stopRun: (id) => post(`${runPath(id)}/stop`, {}),
  restartRun: (id, body) => post(`${runPath(id)}/restart`, body),
  reviewRun: (id, body) => post(`${runPath(id)}/review`, body),
  listEvents: (id, after, signal) => get(`${runPath(id)}/events?limit=1000&after=${after}`, signal),
  listAttempts: (id) => get(`${runPath(id)}/attempts`),
  listTurns: (id) => get(`${runPath(id)}/turns`),
  listAsks: (id) => get(`${runPath(id)}/asks`),
  answerAsk: (runId, askId, body) => post(askPath(runId, askId), body),
  getDiff: (id) => diff(`${runPath(id)}/diff`),
  getLogTail: (id, stream, maxBytes) => tail(logPath(id, stream), maxBytes),
  getLogBlob: (id, stream) => request("GET", logPath(id, stream)).then((response) => response.blob()),

  listLoops: () => get("/loops?all=true"),
  getLoop: (id, signal) => get(loopPath(id), signal),
  getLoopDiff: (id, call) => loopDiff(`${loopPath(id)}/diff${call ? `?call=${call}` : ""}`),
  steerLoop: (id, body) => post(`${loopPath(id)}/steers`, body),
  withdrawLoopSteer: (id, steer) => post(`${loopPath(id)}/steers/${encodeURIComponent(steer)}/withdraw`, {}),
  restartLoop: (id, body) => post(`${loopPath(id)}/restart`, body),
  goLoop: (id, body) => post(`${loopPath(id)}/go`, body),
  skipLoop: (id) => post(`${loopPath(id)}/skip`),
  pauseLoop: (id) => post(`${loopPath(id)}/pause`),
  stopLoop: (id) => post(`${loopPath(id)}/stop`),
  landLoop: (id) => post(`${loopPath(id)}/land`),
  reviewLoop: (id, body) => post(`${loopPath(id)}/review`, body),
  decideFinding: (id, finding, body) => post(`${loopPath(id)}/findings/${encodeURIComponent(finding)}`, body),

  listChats: () => get("/chats"),
  getChatLog: (id, before) => get(`${chatPath(id)}/messages?${new URLSearchParams(before ? { before } : {})}`),
  why: (number) => get(`/why?message=${number}`),
  listApprovals: () => get("/approvals"),
  decideApproval: (id, body) => post(`/approvals/${encodeURIComponent(id)}`, body),
  listOutbox: () => get("/outbox"),
  retryOutbound: (id) => post(`/outbox/${encodeURIComponent(id)}/retry`),
  dismissOutbound: (id) => post(`/outbox/${encodeURIComponent(id)}/dismiss`),

  listSteers: (runId) => get(`${runPath(runId)}/steers`),
  createSteer: (runId, body) => post(`${runPath(runId)}/steers`, body),
  editSteer: (id, body) => patch(steerPath(id), body),
  promoteSteer: (id) => post(`${steerPath(id)}/promote`),
  withdrawSteer: (id) => post(`${steerPath(id)}/withdraw`, {}),
};

const SILENCE_TIMEOUT = 40_000; // the hub sends at least a comment every 15 seconds
const MAX_RETRY_DELAY = 4_000;

/**
 * Subscription to all events: calls `event` with each event once and in order, and reconnects after its last cursor
 * when the stream breaks. Calls `opened` at each connection, with whether the stream resumes after a cursor.
 */
export class Feed {
  constructor({ event, opened, lost }) {
    this.tell = { event, opened, lost };
    this.cursor = undefined;
    this.lastWord = 0;
    this.wake = () => {};
    this.open = true;
    this.resting = false;
    setInterval(() => this.#checkSilence(), 5_000);
    for (const hint of ["online", "focus", "pageshow"]) window.addEventListener(hint, () => this.wake());
    this.#run();
  }

  /** Closes the connection until `resume`: a browser allows few connections to one host. */
  rest() {
    this.resting = true;
    this.abort?.abort();
  }

  resume() {
    if (!this.resting) return;
    this.resting = false;
    this.wake();
  }

  close() {
    this.open = false;
    this.abort?.abort();
    this.wake();
  }

  async #run() {
    let pause = 250;
    while (this.open) {
      const began = performance.now();
      let why = "";
      try {
        await this.#listen();
      } catch (error) {
        why = error instanceof Impersonated ? error.message : "";
        if (error instanceof Refused && error.field === "after") this.cursor = undefined;
        if (error instanceof Refused && error.status === 401) return;
      }
      if (!this.open) return;
      if (!this.resting) session.connectionLost();
      if (performance.now() - began > 5_000) pause = 250;
      this.tell.lost(why, this.resting);
      await new Promise((resolve) => {
        const timer = this.resting ? undefined : setTimeout(resolve, pause);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      pause = Math.min(MAX_RETRY_DELAY, pause * 1.6);
    }
  }

  async #listen() {
    this.abort = new AbortController();
    const goesOn = this.cursor !== undefined;
    const path = goesOn ? `/events?after=${this.cursor}` : "/events";
    const response = await request("GET", path, undefined, this.abort.signal);
    this.lastWord = performance.now();
    this.tell.opened(goesOn);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.lastWord = performance.now();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) this.#take(block);
    }
  }

  #take(block) {
    let data = "";
    for (const line of block.split("\n")) {
      if (line.startsWith("data: ")) data = line.slice(6);
      else if (/^: \d+$/.test(line)) this.cursor = Math.max(this.cursor ?? 0, Number(line.slice(2)));
    }
    if (!data) return;
    const event = JSON.parse(data);
    if (this.cursor !== undefined && event.cursor <= this.cursor) return;
    this.cursor = event.cursor;
    this.tell.event(event);
  }

  #checkSilence() {
    if (this.abort && !this.resting && performance.now() - this.lastWord > SILENCE_TIMEOUT) this.abort.abort();
  }
}
