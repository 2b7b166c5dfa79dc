// The changes of a loop, with line comments: the review of a person. The commit that was looked at is sent with it.

import { attempt, exact, h, show, text } from "./dom.js";
import { hub } from "./hub.js";
import { hasEnded } from "./loops.js";

const MAX_LINES = 6_000;
const NOTE = "\\ Midcourse: ";
const SEVERITIES = ["blocker", "major", "minor", "nit"];
const short = (commit) => commit.slice(0, 10);

/** The files of a unified diff: the name, and the lines with their numbers after the change. */
export function parseDiff(source) {
  const files = [];
  let at = 0;
  for (const line of source.split("\n")) {
    const name = /^diff --git a\/.* b\/(.*)$/.exec(line);
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (name || line.startsWith(NOTE) || files.length === 0) {
      files.push({ name: name?.[1] ?? "", note: line.startsWith(NOTE) ? line.slice(NOTE.length) : "", lines: [] });
      at = 0;
    }
    const { lines } = files.at(-1);
    if (line.startsWith(NOTE)) continue;
    if (hunk) {
      at = Number(hunk[1]);
      lines.push({ kind: "hunk", words: line });
    } else if (at === 0) {
      if (line !== "") lines.push({ kind: "meta", words: line });
    } else if (line[0] === "-") {
      lines.push({ kind: "removed", words: line });
    } else if (line[0] === "+" || line[0] === " ") {
      lines.push({ kind: line[0] === "+" ? "added" : "same", words: line, number: at++ });
    } else if (line !== "") {
      lines.push({ kind: "meta", words: line });
    }
  }
  return files.filter((file) => file.note || file.lines.length > 0);
}

/** One remark as the hub reads it. A path that cannot be in front of the text is put into it. */
export function remarkLine({ path, line, severity, words }) {
  const said = words.trim().replace(/\s+/g, " ");
  const placed = path && !/[\s:]/.test(path);
  const place = path ? `${path}${line ? `:${line}` : ""}` : "";
  if (placed && (line || /[./]/.test(path))) return `${place}: ${severity}: ${said}`;
  return `${severity}: ${place ? `${place} ${said}` : said}`;
}

const notes = {
  of: (id) => {
    try {
      return JSON.parse(sessionStorage.getItem(`midcourse.review.${id}`)) ?? [];
    } catch {
      return [];
    }
  },
  keep: (id, all) => {
    if (all.length === 0) sessionStorage.removeItem(`midcourse.review.${id}`);
    else attempt(() => sessionStorage.setItem(`midcourse.review.${id}`, JSON.stringify(all)));
  },
};

export class LoopReview {
  constructor({ changed }) {
    this.changed = changed;
    this.remarks = [];
    this.range = h("select", { "aria-label": "Which changes", on: { change: () => this.load() } });
    this.commits = h("span", { class: "hint review-commits" });
    this.moved = h("div", { class: "banner", "data-tone": "warn", role: "status", hidden: true },
      h("p", { class: "banner-words" }),
      h("button", { type: "button", on: { click: () => this.load() } }, "Load the newest changes"));
    this.files = h("div", { class: "review-files" });
    this.general = h("ul", { class: "remarks" });
    this.says = h("p", { class: "wrong", role: "alert", hidden: true });
    this.hint = h("p", { class: "hint" });
    this.approve = h("button", { type: "button", class: "primary act-approve", on: { click: () => this.#send([]) } }, "Approve");
    this.findings = h("button",
      { type: "button", class: "danger act-findings", on: { click: () => this.#send(this.remarks) } }, "Send findings");
    this.bar = h("section", { class: "review-bar", "aria-label": "Your review" },
      this.general, this.says,
      h("div", { class: "review-buttons" },
        this.hint, h("span", { class: "grow" }),
        h("button", { type: "button", class: "act-remark", on: { click: () => this.#remarkForm(this.general, {}) } },
          "Add a remark"),
        this.findings, this.approve));
    this.node = h("div", { class: "review" },
      h("div", { class: "review-head" }, this.range, this.commits), this.moved, this.files, this.bar);
  }

  /** Draws what changes with the loop; the changes themselves stay as they are until they are loaded again. */
  draw({ loop, progress }) {
    const other = this.id !== loop.loop_id;
    this.id = loop.loop_id;
    this.loop = loop;
    if (other) {
      this.remarks = notes.of(this.id);
      this.head = undefined;
      this.files.replaceChildren();
    }
    const calls = progress.calls.filter((call) => call.changes);
    const kinds = new Map(loop.calls.map((call) => [call.number, call]));
    const options = [["", `All changes of ${loop.branch}`],
      ...calls.map(({ number }) => [String(number), `${kinds.get(number).kind}, call ${number}`])];
    if (this.range.dataset.options !== JSON.stringify(options)) {
      const chosen = other ? "" : this.range.value;
      this.range.dataset.options = JSON.stringify(options);
      this.range.replaceChildren(...options.map(([value, words]) => h("option", { value }, words)));
      this.range.value = options.some(([value]) => value === chosen) ? chosen : "";
    }
    this.#drawBar();
  }

  get mayReview() {
    const waits = this.loop.phase === "check" || this.loop.phase === "parked";
    return waits && Boolean(this.loop.check) && !hasEnded(this.loop);
  }

  #drawBar() {
    show(this.bar, this.mayReview);
    const moved = Boolean(this.head && this.loop.head && this.range.value === "" && this.head !== this.loop.head);
    show(this.moved, moved);
    text(this.moved.firstChild, moved
      ? `The branch has moved to ${short(this.loop.head)} since you loaded ${short(this.head)}. Your remarks are kept.` : "");
    const count = this.remarks.length;
    text(this.findings, `Send ${count} ${count === 1 ? "finding" : "findings"}`);
    this.findings.disabled = count === 0 || !this.head;
    this.approve.disabled = count > 0 || !this.head;
    const byAgent = !["me", "none"].includes(this.loop.reviewer) && this.loop.check?.review === "pending"
      ? ` Your review replaces the one by ${this.loop.reviewer}.` : "";
    text(this.hint, this.head ? `You review commit ${short(this.head)}.${byAgent}` : "");
    this.#drawGeneral();
  }

  /** Loads the chosen changes. */
  async load(call = this.range.value) {
    this.range.value = call;
    const { id } = this;
    const loading = {};
    this.loading = loading;
    this.files.replaceChildren(h("p", { class: "nothing" }, "Loading…"));
    let nodes;
    try {
      const { patch, from, head } = await hub.getLoopDiff(id, call);
      if (this.loading !== loading || this.id !== id) return;
      // Only the newest commit of the branch can be reviewed, also when one call is looked at.
      this.head = call === "" ? head : head === this.loop.head ? head : undefined;
      text(this.commits, head ? `${short(from)} … ${short(head)}` : "");
      nodes = patch === undefined ? [h("p", { class: "nothing" }, "No changes yet.")] : this.#fileNodes(patch, from, head);
    } catch (error) {
      if (this.loading !== loading) return;
      nodes = [h("p", { class: "wrong" }, error.message)];
    }
    this.files.replaceChildren(...nodes);
    this.#drawRemarks();
    this.#drawBar();
  }

  #fileNodes(patch, from, head) {
    const files = parseDiff(patch);
    if (files.length === 0) return [h("p", { class: "nothing" }, "No changes.")];
    let left = MAX_LINES;
    let omitted = 0;
    const nodes = files.map((file) => {
      if (file.note) return h("p", { class: "diff-note" }, exact(file.note));
      const shown = file.lines.slice(0, Math.max(0, left));
      omitted += file.lines.length - shown.length;
      left -= shown.length;
      return this.#fileNode(file, shown);
    });
    if (omitted > 0) {
      nodes.push(h("p", { class: "diff-note" },
        exact(`${omitted} lines are not shown. All of it: git diff ${from} ${head}`)));
    }
    return nodes;
  }

  #fileNode({ name, lines }, shown) {
    const added = lines.filter(({ kind }) => kind === "added").length;
    const removed = lines.filter(({ kind }) => kind === "removed").length;
    const table = h("div", { class: "review-lines exact", role: "group", "aria-label": `Lines of ${name}` },
      ...shown.map((line) => this.#line(name, line)));
    // One stop of the Tab key for each file; the arrow keys go from line to line.
    const buttons = [...table.querySelectorAll(".line-number")];
    buttons.forEach((button, at) => (button.tabIndex = at === 0 ? 0 : -1));
    table.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const at = buttons.indexOf(event.target);
      const next = by && at >= 0 ? buttons[at + by] : undefined;
      if (!next) return;
      event.preventDefault();
      buttons[at].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
    return h("details", { class: "diff-file", open: true },
      h("summary", {}, h("span", { class: "diff-name exact" }, exact(name)),
        h("span", { class: "diff-count" }, `+${added} −${removed}`)),
      table);
  }

  #line(path, { kind, words, number }) {
    const body = h("span", { class: "line-words" }, exact(words));
    if (!number) return h("div", { class: `review-line diff-${kind}` }, h("span", { class: "line-number" }), body);
    const node = h("div", { class: `review-line diff-${kind}`, "data-place": `${path}:${number}` },
      h("button", {
        type: "button", class: "line-number", "aria-label": `Comment on ${path} line ${number}`,
        on: { click: () => this.mayReview && this.#remarkForm(node, { path, line: number }) },
      }, String(number)),
      body);
    return node;
  }

  /** Opens the form of a remark under a line, or under the whole. */
  #remarkForm(under, place) {
    under.parentNode.querySelectorAll(":scope > .remark-form, :scope > .remarks > .remark-form").forEach((form) => form.remove());
    const words = h("textarea", { rows: 2, required: true, "aria-label": "Finding", placeholder: "What is wrong" });
    const severity = h("select", { "aria-label": "Severity" },
      ...SEVERITIES.map((name) => h("option", { value: name, selected: name === "major" }, name)));
    const close = () => form.remove();
    const form = h("form", { class: "remark-form" }, words,
      h("div", { class: "remark-buttons" }, severity, h("span", { class: "grow" }),
        h("button", { type: "button", class: "small", on: { click: close } }, "Cancel"),
        h("button", { type: "submit", class: "small primary" }, "Add finding")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.remarks.push({ ...place, severity: severity.value, words: words.value });
      close();
      this.#remarksChanged();
      under.querySelector?.("button")?.focus();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
      if (event.key !== "Escape") return;
      event.preventDefault();
      close();
      under.querySelector?.("button")?.focus();
    });
    if (under === this.general) this.bar.prepend(form);
    else under.after(form);
    words.focus();
  }

  #remarksChanged() {
    notes.keep(this.id, this.remarks);
    this.#drawRemarks();
    this.#drawBar();
  }

  #remark(remark) {
    const place = remark.path ? `${remark.path}:${remark.line} ` : "";
    const remove = () => {
      this.remarks = this.remarks.filter((one) => one !== remark);
      this.#remarksChanged();
    };
    return h("div", { class: "remark" },
      h("span", { class: "finding-severity" }, remark.severity),
      h("span", { class: "remark-words" }, place ? h("span", { class: "exact" }, exact(place)) : undefined, remark.words),
      h("button", { type: "button", class: "small quiet", "aria-label": `Remove the finding ${remark.words}`,
        on: { click: remove } }, "Remove"));
  }

  /** Shows each remark under its line; those whose line is not shown are with the general ones. */
  #drawRemarks() {
    this.files.querySelectorAll(".remark").forEach((node) => node.remove());
    this.placed = new Set();
    const lines = new Map([...this.files.querySelectorAll("[data-place]")].map((node) => [node.dataset.place, node]));
    for (const remark of this.remarks) {
      const line = remark.path && lines.get(`${remark.path}:${remark.line}`);
      if (!line) continue;
      line.after(this.#remark(remark));
      this.placed.add(remark);
    }
  }

  #drawGeneral() {
    const rest = this.remarks.filter((remark) => !this.placed?.has(remark));
    const shown = JSON.stringify(rest);
    if (this.general.dataset.shown === shown) return;
    this.general.dataset.shown = shown;
    this.general.replaceChildren(...rest.map((remark) => h("li", {}, this.#remark(remark))));
  }

  async #send(remarks) {
    const body = { head: this.head };
    if (remarks.length > 0) body.findings = remarks.map(remarkLine).join("\n");
    this.approve.disabled = true;
    this.findings.disabled = true;
    show(this.says, false);
    try {
      const loop = await hub.reviewLoop(this.id, body);
      this.remarks = [];
      this.#remarksChanged();
      this.changed(loop);
    } catch (error) {
      text(this.says, error.message);
      show(this.says, true);
      this.#drawBar();
    }
  }
}
