// Formats times, amounts and states of runs as text.

import { visibleExactLine } from "./visible.js";

/** Milliseconds since the epoch, with the fraction that Date.parse drops. */
export function millis(iso) {
  const dot = iso.indexOf(".");
  if (dot < 0) return Date.parse(iso);
  const fraction = Number("0" + iso.slice(dot, -1));
  return Date.parse(iso.slice(0, dot) + "Z") + fraction * 1000;
}

/** 0.4 ms, 12 ms, 1.24 s, 3 m 05 s, 2 h 04 m. */
export function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  const value = Math.max(0, ms);
  if (value < 1) return value === 0 ? "0 ms" : "<1 ms";
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 10_000) return `${(value / 1000).toFixed(2)} s`;
  if (value < 60_000) return `${(value / 1000).toFixed(1)} s`;
  const seconds = Math.floor(value / 1000);
  const two = (n) => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds / 60) % 60)} m`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor(seconds / 3600) % 24} h`;
}

/** A time in a receipt, with the same digits as on the command line: 4 ms, 1.25 s, 31.98 s, 12 min. */
export function fine(ms) {
  const millis = Math.max(0, Math.trunc(ms));
  if (millis < 1000) return `${millis} ms`;
  const seconds = Math.trunc(millis / 1000);
  if (seconds < 100) return `${seconds}.${String(Math.trunc((millis % 1000) / 10)).padStart(2, "0")} s`;
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.trunc(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.trunc(hours / 24)} d`;
}

/** A duration in its largest unit, for lists: 12 s, 3 m, 2 h, 4 d. */
export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A time since the start of the run: 0:07.3 or 1:02:03. */
export function offset(ms, fine = true) {
  const sign = ms <= -100 ? "-" : "";
  const value = Math.abs(ms);
  const two = (n) => String(n).padStart(2, "0");
  const minutes = Math.floor(value / 60_000);
  const seconds = Math.floor(value / 1000) % 60;
  const tail = fine ? "." + Math.floor((value % 1000) / 100) : "";
  return minutes < 60
    ? `${sign}${minutes}:${two(seconds)}${tail}`
    : `${sign}${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds)}`;
}

export const clock = (ms) => new Date(ms).toLocaleTimeString(undefined, { hour12: false });
export const moment = (ms) => new Date(ms).toLocaleString();

export function count(number) {
  if (number < 10_000) return String(number);
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)} k`;
  return `${(number / 1_000_000).toFixed(1)} M`;
}

export function bytes(number) {
  if (number < 1_000) return `${number} bytes`;
  if (number < 1_000_000) return `${(number / 1_000).toFixed(1)} kB`;
  return number < 1_000_000_000 ? `${(number / 1_000_000).toFixed(1)} MB` : `${(number / 1_000_000_000).toFixed(2)} GB`;
}

export function money(usd) {
  const amount = Number(usd);
  if (!Number.isFinite(amount) || amount === 0) return "";
  return amount < 0.01 ? "<$0.01" : `$${amount.toFixed(2)}`;
}

export const firstLine = (words) => (words ?? "").trim().split("\n", 1)[0];
/** The beginning of a command or a question on one line; every character counts. */
export const exactLine = (words, max = 300) => visibleExactLine((words ?? "").slice(0, max * 2)).slice(0, max);
export const capitalized = (words) => words.charAt(0).toUpperCase() + words.slice(1);

export const oneLine = (words, max = 300) =>
  (words ?? "").slice(0, max * 2).replace(/\s+/g, " ").trim().slice(0, max);

const LIVE = new Set(["queued", "running"]);
export const isLive = (run) => LIVE.has(run.state);

const STATE_WORDS = {
  queued: "Queued", running: "Running", review_requested: "Needs review", done: "Done", failed: "Failed",
  failed_contract: "Completion invalid", failed_timeout: "Timed out", stopped: "Stopped",
};
const STATE_ICONS = {
  queued: "queued", running: "running", review_requested: "review", done: "done", failed: "failed",
  failed_contract: "failed", failed_timeout: "timeout", stopped: "stopped",
};

/** The label of a state of the API; an unknown state is shown by its name. */
export const stateWords = (state) => STATE_WORDS[state] ?? state;

// The needs of a run by their names in the API, with the ranks of `Need` of the core module: the lowest comes first. A
// need that `lasts` stays until it is met; the others need attention for one day.
const NEEDS = new Map([
  ["asks permission", { kind: "answer", rank: 0, lasts: true, word: "Waiting for approval" }],
  ["asks question", { kind: "answer", rank: 0, lasts: true, word: "Waiting for an answer" }],
  ["review", { kind: "review", rank: 1, lasts: true }],
  ["quiet", { kind: "quiet", rank: 2, lasts: true, word: "No activity" }],
  ["failed contract", { kind: "failed", rank: 3, lasts: false }],
  ["timed out", { kind: "failed", rank: 4, lasts: false }],
  ["failed", { kind: "failed", rank: 5, lasts: false }],
]);
const UNKNOWN_NEED = { kind: "unknown", rank: 6, lasts: false };

/** The reason why a person should look at a run; undefined if there is none. */
export const needOf = (run) => (run.needs ? NEEDS.get(run.needs) ?? UNKNOWN_NEED : undefined);
export const isAsking = (run) => needOf(run)?.kind === "answer";

/** The label, icon and tone of a run. A request for attention takes precedence over the state. */
export function standing(run) {
  const need = needOf(run);
  if (need?.kind === "answer") return { word: need.word, icon: "asks", tone: "warn" };
  if (need?.kind === "quiet") return { word: need.word, icon: "quiet", tone: "warn" };
  if (run.stop_asked && isLive(run)) return { word: "Stopping", icon: "stopped", tone: "warn" };
  if (run.idle_until) return { word: "Idle", icon: "queued", tone: "idle" };
  const tones = { running: "live", queued: "idle", review_requested: "warn", done: "ok", stopped: "idle" };
  const tone = tones[run.state] ?? "bad";
  return { word: stateWords(run.state), icon: STATE_ICONS[run.state] ?? "note", tone };
}

/** What an idle agent does, until a time of the day. */
export function idleWords(until) {
  const minutes = { hour: "2-digit", minute: "2-digit", hour12: false };
  const time = new Date(millis(until)).toLocaleTimeString(undefined, minutes);
  return `Idle, waiting for the next message until ${time}`;
}

const DAY = 86_400_000;

/** Whether a run needs attention. A failure needs it for one day. */
export function needsAttention(run, now) {
  const need = needOf(run);
  return need !== undefined && (need.lasts || now - millis(run.ended_at ?? run.created_at) < DAY);
}

const ORIGINS = { cli: "CLI", http: "HTTP", mcp: "MCP" };

/** The interface that a request came through: CLI, HTTP, page, run:main/7. */
export const originName = (origin) => ORIGINS[origin] ?? origin;

/** The author of a request: main (CLI). */
export const authorWords = ({ group, origin }) => `${group} (${originName(origin)})`;
