// The diff of a run's checkout.

import { exact, h } from "./dom.js";
import { hub } from "./hub.js";

/** Begins the lines that the hub adds between and after files. No line of a file begins like this. */
const NOTE = "\\ Midcourse: ";

/** Parses a unified diff; returns one node per file, and one per note of the hub. */
export function diff(source) {
  const lines = source.split("\n");
  const parts = [];
  for (const line of lines) {
    if (line.startsWith("diff ") || line.startsWith(NOTE) || parts.length === 0) parts.push([]);
    parts.at(-1).push(line);
  }
  return parts
    .filter((part) => part.some((line) => line !== ""))
    .map((part) => (part[0].startsWith(NOTE) ? note(part[0]) : file(part)));
}

function note(line) {
  return h("p", { class: "diff-note" }, exact(line.slice(NOTE.length)));
}

function file(lines) {
  const name = lines.find((line) => line.startsWith("+++ "))?.slice(4).replace(/^b\//, "") ?? lines[0];
  const added = lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length;
  const removed = lines.filter((line) => /^-(?!-- )/.test(line)).length;
  return h("details", { class: "diff-file", open: true },
    h("summary", {},
      h("span", { class: "diff-name exact" }, exact(name)),
      h("span", { class: "diff-count" }, `+${added} −${removed}`)),
    h("pre", { class: "diff exact", tabindex: 0 },
      ...lines.map((line) => h("span", { class: `diff-${kind(line)}` }, exact(line + "\n")))));
}

function kind(line) {
  if (/^(diff|index|---|\+\+\+|new file|deleted|similarity|rename)/.test(line)) return "meta";
  if (line.startsWith("@@")) return "hunk";
  return { "+": "added", "-": "removed" }[line[0]] ?? "same";
}

/** The diff of a run, or the reason why there is none. */
export async function changes(runId) {
  const patch = await hub.getDiff(runId);
  if (patch === undefined) {
    const words = "No diff: the run has no checkout of its own, or it was removed after the review.";
    return [h("p", { class: "nothing" }, words)];
  }
  return patch.trim() === "" ? [h("p", { class: "nothing" }, "No changes.")] : diff(patch);
}
