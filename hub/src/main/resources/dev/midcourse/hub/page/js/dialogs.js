// The few questions the page asks, each as a native dialog: Escape leaves it, the focus comes back.

import { h, show, text } from "./dom.js";

/**
 * Opens a dialog with a form. `submit` is called with the form's values and may throw: then the dialog stays
 * and says why.
 */
export function ask({ title, intro, body = [], action, tone = "primary", submit }) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const go = h("button", { type: "submit", class: tone }, action);
  const form = h("form", { method: "dialog" },
    h("h2", {}, title),
    ...(intro ?? []).map((words) => (typeof words === "string" ? h("p", { class: "intro" }, words) : words)),
    ...body, wrong,
    h("footer", {}, h("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Cancel"), go));
  const dialog = h("dialog", { class: "dialog", "aria-label": title }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    go.disabled = true;
    show(wrong, false);
    try {
      await submit(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      text(wrong, error.message + (error.rule ? ` (${error.field}: ${error.rule})` : ""));
      show(wrong, true);
    } finally {
      go.disabled = false;
    }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("textarea, input, select")?.focus();
  return dialog;
}

export const field = (label, input, hint) =>
  h("label", { class: "field" }, h("span", { class: "field-label" }, label), input, hint ? h("span", { class: "hint" }, hint) : undefined);

const KEYS = [
  ["j  k", "next, previous run"], ["/", "search"], ["n", "new run"], ["s", "steer: go to the box"],
  ["Ctrl Enter", "send what is in the box"], ["t", "the timeline; then ← → walk, + − zoom, 0 whole, l live"],
  ["1 … 5", "story, answer, changes, raw log, details"], ["a  d", "allow, deny what the agent asks"],
  ["x", "stop the run"], ["r", "restart it with another prompt"], ["Esc", "leave what you are in"], ["?", "this list"],
];

export function showKeys() {
  const rows = KEYS.map(([keys, what]) => h("div", { class: "key-row" }, h("dt", {}, ...keys.split("  ").map((key) => h("kbd", {}, key))), h("dd", {}, what)));
  const dialog = h("dialog", { class: "dialog", "aria-label": "Keys" },
    h("form", { method: "dialog" }, h("h2", {}, "Keys"), h("dl", { class: "keys" }, ...rows), h("footer", {}, h("button", { class: "primary" }, "Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

let bubble;

/** A short word in the corner that goes by itself. */
export function toast(words, tone = "idle") {
  bubble?.remove();
  bubble = h("div", { class: "toast", role: "status", "data-tone": tone }, words);
  document.body.append(bubble);
  const mine = bubble;
  setTimeout(() => mine.remove(), 5_000);
}
