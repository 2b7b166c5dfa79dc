// The diff of a run's checkout.

import { h } from "./dom.js";
import { Refused, hub } from "./hub.js";

/** Parses a unified diff; returns one node per file. */
export function diff(source) {
  const lines = source.split("\n");
  const files = [];
  for (const line of lines) {
    if (line.startsWith("diff ") || files.length === 0) files.push([]);
    files.at(-1).push(line);
  }
  return files.filter((file) => file.some((line) => line !== "")).map(file);
}

function file(lines) {
  const name = lines.find((line) => line.startsWith("+++ "))?.slice(4).replace(/^b\//, "") ?? lines[0];
  const added = lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length;
  const removed = lines.filter((line) => /^-(?!-- )/.test(line)).length;
  return h("details", { class: "diff-file", open: true },
    h("summary", {},
      h("span", { class: "diff-name" }, name),
      h("span", { class: "diff-count" }, `+${added} −${removed}`)),
    h("pre", { class: "diff", tabindex: 0 },
      ...lines.map((line) => h("span", { class: `diff-${kind(line)}` }, line + "\n"))));
}

function kind(line) {
  if (/^(diff|index|---|\+\+\+|new file|deleted|similarity|rename)/.test(line)) return "meta";
  if (line.startsWith("@@")) return "hunk";
  return { "+": "added", "-": "removed" }[line[0]] ?? "same";
}

/** The diff of a run, or the reason why there is none. */
export async function changes(runId) {
  try {
    const patch = await hub.getDiff(runId);
    return patch.trim() === "" ? [h("p", { class: "nothing" }, "No changes.")] : diff(patch);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [h("p", { class: "nothing" }, `No diff: ${error.message}.`)];
  }
}
