// How times, amounts and states are written.

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

/** How long ago, coarsely: a list is not a stopwatch. */
export function ago(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The time since the run began, as a place on its axis: 0:07.3 or 1:02:03. */
export function offset(ms, fine = true) {
  const sign = ms < 0 ? "-" : "";
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
export const oneLine = (words, most = 300) => (words ?? "").slice(0, most * 2).replace(/\s+/g, " ").trim().slice(0, most);
export const shortId = (id) => (id ?? "").slice(0, 8);

const LIVE = new Set(["queued", "running"]);
export const isLive = (run) => LIVE.has(run.state);

const STATE_WORDS = {
  queued: "queued", running: "running", review_requested: "wants review", done: "done", failed: "failed",
  failed_contract: "failed its contract", failed_timeout: "timed out", stopped: "stopped",
};
const STATE_ICONS = {
  queued: "queued", running: "running", review_requested: "review", done: "done", failed: "failed",
  failed_contract: "failed", failed_timeout: "timeout", stopped: "stopped",
};

/** What a run is, in a word, with its icon and its tone; what it needs comes before what it does. */
export function standing(run) {
  const needs = run.needs ?? "";
  if (needs.startsWith("asks")) return { word: "asks you", icon: "asks", tone: "warn" };
  if (needs === "quiet") return { word: "gone quiet", icon: "quiet", tone: "warn" };
  if (run.stop_asked && isLive(run)) return { word: "stopping", icon: "stopped", tone: "warn" };
  const tone = { running: "live", queued: "idle", review_requested: "warn", done: "ok", stopped: "idle" }[run.state] ?? "bad";
  return { word: STATE_WORDS[run.state] ?? run.state, icon: STATE_ICONS[run.state] ?? "note", tone };
}

const DAY = 86_400_000;

/** Whether a person should look at it now; an old failure is history. */
export function needsYou(run, now) {
  const needs = run.needs ?? "";
  if (!needs) return false;
  if (needs.startsWith("asks") || needs === "quiet" || needs === "review") return true;
  return now - millis(run.ended_at ?? run.created_at) < DAY;
}

/** The lower, the sooner somebody should look. */
export function urgency(needs) {
  if (needs.startsWith("asks")) return 0;
  const rank = ["review", "quiet", "failed contract", "timed out", "failed"].indexOf(needs);
  return rank < 0 ? 9 : rank + 1;
}
