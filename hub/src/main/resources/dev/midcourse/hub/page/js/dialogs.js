// Dialogs and toasts. A dialog is a native one: Escape closes it and the focus returns.

import { h, show, text } from "./dom.js";

/**
 * Opens a dialog with a form. If `submit` throws, the dialog stays open and shows the error. With `yesNo`, the keys y
 * and n answer it.
 */
export function ask({ title, intro, body = [], action, tone = "primary", yesNo = false, submit }) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const key = (name) => (yesNo ? h("kbd", {}, name) : undefined);
  const go = h("button", { type: "submit", class: tone }, action, key("y"));
  const form = h("form", { method: "dialog" },
    h("h2", {}, title),
    ...(intro ?? []).map((words) => (typeof words === "string" ? h("p", { class: "intro" }, words) : words)),
    ...body, wrong,
    h("footer", {},
      h("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Cancel", key("n")),
      go));
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
    if (!yesNo || !["y", "n"].includes(event.key)) return;
    event.preventDefault(); // else the key would also be a shortcut of the page
    if (event.key === "y") form.requestSubmit();
    else dialog.close();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("textarea, input, select")?.focus();
  return dialog;
}

export const field = (label, input, hint) =>
  h("label", { class: "field" },
    h("span", { class: "field-label" }, label),
    input,
    hint ? h("span", { class: "hint" }, hint) : undefined);

const KEYS = [
  ["j  k", "Next and previous run or loop"],
  ["/", "Search runs"],
  ["n", "New run"],
  ["c", "Chats"],
  ["s", "Focus the message box"],
  ["Ctrl Enter", "Send the message"],
  ["t", "Focus the timeline: ← → previous or next event, + − zoom, 0 whole run, l follow"],
  ["1 … 5", "Activity, Result, Changes, Raw log, Details; in a loop: Findings, Rounds, Changes, News, Details"],
  ["a  d", "Allow or deny the permission request, after a confirmation"],
  ["x", "Stop the run or the loop"],
  ["r", "Restart the run or the loop with another prompt"],
  ["g", "Go on with a parked loop"],
  ["Esc", "Close"],
  ["?", "Keyboard shortcuts"],
];

export function showKeys() {
  const rows = KEYS.map(([keys, action]) =>
    h("div", { class: "key-row" },
      h("dt", {}, ...keys.split("  ").map((key) => h("kbd", {}, key))),
      h("dd", {}, action)));
  const dialog = h("dialog", { class: "dialog", "aria-label": "Keyboard shortcuts" },
    h("form", { method: "dialog" },
      h("h2", {}, "Keyboard shortcuts"),
      h("dl", { class: "keys" }, ...rows),
      h("footer", {}, h("button", { class: "primary" }, "Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

let bubble;

/** Shows a short message in the corner for five seconds. */
export function toast(words, tone = "idle") {
  bubble?.remove();
  bubble = h("div", { class: "toast", role: "status", "data-tone": tone }, words);
  document.body.append(bubble);
  const mine = bubble;
  setTimeout(() => mine.remove(), 5_000);
}
