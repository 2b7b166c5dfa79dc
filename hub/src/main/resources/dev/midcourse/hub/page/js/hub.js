// The one place that talks to the hub: requests, and the stream of events that is read by its cursor.

import { token } from "./token.js";

/** The hub said no, and why. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? `the hub answered ${status}`);
    this.status = status;
    this.code = problem.code ?? "";
    this.field = problem.field ?? "";
    this.rule = problem.rule ?? "";
  }
}

/** Nobody answered. */
export class Unreachable extends Error {
  constructor() {
    super("The hub does not answer.");
  }
}

const headers = () => ({ Authorization: `Bearer ${token.value}`, "Midcourse-Door": "page" });

async function request(method, path, body, signal) {
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      signal,
      cache: "no-store",
      headers: body === undefined ? headers() : { ...headers(), "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unreachable();
  }
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  if (response.status === 401) document.dispatchEvent(new CustomEvent("midcourse:locked"));
  throw new Refused(response.status, problem);
}

const json = (response) => response.json();

/** The last lines of a file, within so many bytes; how large it is, and how much of it is left out. */
async function tail(path, most) {
  const response = await request("GET", `${path}&tail=${most}`);
  const size = Number(response.headers.get("Midcourse-Size"));
  const end = new Uint8Array(await response.arrayBuffer());
  const line = end.indexOf(NEWLINE) + 1;
  const from = end.length < size && line < end.length ? line : 0;
  return { words: new TextDecoder().decode(end.subarray(from)), size, leftOut: size - end.length + from };
}

const NEWLINE = 10;
const at = (id) => encodeURIComponent(id);

export const hub = {
  get: (path, signal) => request("GET", path, undefined, signal).then(json),
  post: (path, body) => request("POST", path, body).then(json),
  patch: (path, body) => request("PATCH", path, body).then(json),
  text: (path) => request("GET", path).then((response) => response.text()),
  blob: (path) => request("GET", path).then((response) => response.blob()),
  tail,

  runs: (query) => hub.get(`/runs?${new URLSearchParams(query)}`),
  run: (id, signal) => hub.get(`/runs/${at(id)}`, signal),
  of: (id, what) => hub.get(`/runs/${at(id)}/${what}`),
  tell: (id, what, body) => hub.post(`/runs/${at(id)}/${what}`, body),
  events: (id, after, signal) => hub.get(`/runs/${at(id)}/events?limit=1000&after=${after}`, signal),
  steer: (id, what, body) => hub.post(`/steers/${at(id)}/${what}`, body),
};

const SILENCE_MILLIS = 40_000; // the hub says something every fifteen seconds
const LONGEST_PAUSE = 4_000;

/**
 * Everything that happens, each event once and in order. Comes back with its cursor whenever the stream breaks
 * off. `opened` is called each time the stream stands, with whether it goes on where it was.
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

  /** Lets the connection go; a browser has few of them for one hub. */
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
        why = error.message;
        if (error instanceof Refused && error.field === "after") this.cursor = undefined;
        if (error instanceof Refused && error.status === 401) return;
      }
      if (!this.open) return;
      if (performance.now() - began > 5_000) pause = 250;
      this.tell.lost(why, this.resting);
      await new Promise((resolve) => {
        const timer = this.resting ? undefined : setTimeout(resolve, pause);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      pause = Math.min(LONGEST_PAUSE, pause * 1.6);
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
    if (this.abort && !this.resting && performance.now() - this.lastWord > SILENCE_MILLIS) this.abort.abort();
  }
}
