// The dialog of schedules: next times, and what can be done with each.

import { h } from "./dom.js";
import { toast } from "./dialogs.js";
import { hub } from "./hub.js";

/** Buttons of a schedule in this state: the label, and the operation of the hub. */
const OPERATIONS = {
  active: [["Run now", hub.runSchedule], ["Pause", hub.pauseSchedule], ["Cancel", hub.cancelSchedule]],
  paused: [["Run now", hub.runSchedule], ["Resume", hub.resumeSchedule], ["Cancel", hub.cancelSchedule]],
  ended: [],
};

function lastTime({ last }) {
  if (!last) return "not due yet";
  const result = last.run_id ? `run ${last.run_id}` : "no run";
  return `last: ${last.due_local}, ${result}${last.reason ? ` (${last.reason})` : ""}`;
}

function row(schedule, reload) {
  const buttons = OPERATIONS[schedule.state].map(([label, operation]) =>
    h("button", {
      type: "button",
      class: "quiet",
      "aria-label": `${label}: ${schedule.name}`,
      on: {
        click: async (event) => {
          event.target.disabled = true;
          try {
            await operation(schedule.schedule_id);
            await reload();
          } catch (error) {
            toast(error.message, "bad");
          } finally {
            event.target.disabled = false;
          }
        },
      },
    }, label));
  return h("li", { class: "schedule session-row", "data-state": schedule.state },
    h("div", {},
      h("strong", {}, schedule.name),
      h("span", {}, schedule.next_local ? `next: ${schedule.next_local}, ${schedule.zone}` : schedule.state),
      h("span", { class: "hint" }, `${schedule.timing}, ${schedule.worker === "any" ? "any worker" : schedule.worker}`),
      h("span", { class: "hint" }, lastTime(schedule))),
    h("div", { class: "schedule-buttons" }, ...buttons));
}

/** Shows the schedules that are active or paused, the next one first. */
export async function showSchedules() {
  const list = h("ul", { class: "schedules" });
  const load = async () => {
    const { schedules } = await hub.listSchedules();
    list.replaceChildren(...schedules.map((one) => row(one, load)));
    if (schedules.length === 0) {
      list.append(h("li", { class: "hint" }, "No schedules. Add one: midcourse schedule add \"0 9 * * *\" PROMPT"));
    }
  };
  try {
    await load();
  } catch (error) {
    toast(error.message, "bad");
    return;
  }
  const dialog = h("dialog", { class: "dialog", "aria-label": "Schedules" },
    h("form", { method: "dialog" },
      h("h2", {}, "Schedules"),
      h("p", { class: "intro" }, "The hub gives these prompts at due times. Times are local to the zone of each schedule."),
      list,
      h("footer", {}, h("button", { class: "primary" }, "Close"))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
