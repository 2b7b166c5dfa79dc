// The detail of a permission request, in the fixed form of RequestText of the core module: the name of a field, and
// below it each line of its value behind a bar. The lines of a change are marked as removed or added.

import { exact, h } from "./dom.js";

const BAR = "  │ ";

/** Lays out the detail of an ask. A detail that has no bars is shown as it is. */
export function askDetail(detail) {
  if (!detail) return [];
  const lines = detail.split("\n");
  if (!lines.some((line) => line.startsWith(BAR))) return [block(exact(detail))];
  let change = false;
  return [block(...lines.map((line) => {
    const value = line.startsWith(BAR);
    if (!value) change = /(^|\.)change$/.test(line);
    const kind = value ? (change && SIGNS[line[BAR.length]]) || "ask-value" : "ask-name";
    return h("span", { class: kind }, exact(line + "\n"));
  }))];
}

const SIGNS = { "+": "diff-added", "-": "diff-removed" };
const block = (...content) => h("pre", { class: "plain exact ask-detail", tabindex: 0 }, ...content);
