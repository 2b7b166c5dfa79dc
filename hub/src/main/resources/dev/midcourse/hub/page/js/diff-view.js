// What the run has changed in its checkout, line by line, when it has one.

import { h } from "./dom.js";
import { Refused, hub } from "./hub.js";

/** The nodes of a unified diff. */
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
  const kind = (line) => (/^(diff|index|---|\+\+\+|new file|deleted|similarity|rename)/.test(line) ? "meta" : line.startsWith("@@") ? "hunk" : line[0] === "+" ? "added" : line[0] === "-" ? "removed" : "same");
  return h("details", { class: "diff-file", open: true },
    h("summary", {}, h("span", { class: "diff-name" }, name), h("span", { class: "diff-count" }, `+${added} −${removed}`)),
    h("pre", { class: "diff", tabindex: 0 }, ...lines.map((line) => h("span", { class: `diff-${kind(line)}` }, line + "\n"))));
}

/** The diff of a run, or a sentence why there is none. */
export async function changes(runId) {
  try {
    const patch = await hub.text(`/runs/${encodeURIComponent(runId)}/diff`);
    return patch.trim() === "" ? [h("p", { class: "nothing" }, "Nothing has changed.")] : diff(patch);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [h("p", { class: "nothing" }, `There is no diff: ${error.message}.`)];
  }
}
