// The form that starts a run: in a dialog, and on the home page while there are no runs.

import { h } from "./dom.js";
import { hub } from "./hub.js";
import { ask, field } from "./dialogs.js";

const EXAMPLE = "Fix the flaky test in the parser. Run the tests before you finish.";

/** The agents as options: the installed ones first, the others disabled. */
function agentChoice(agents) {
  const found = agents.filter((agent) => agent.found);
  const preselected = found.find((agent) => agent.name !== "rehearsal") ?? found[0];
  const option = (agent) =>
    h("option", { value: agent.name, disabled: !agent.found, selected: agent === preselected },
      agent.found ? agent.name : `${agent.name} (not installed)`);
  return h("select", { name: "agent" }, ...found.map(option), ...agents.filter((agent) => !agent.found).map(option));
}

const textInput = (name, placeholder) => h("input", { name, placeholder, spellcheck: "false", autocomplete: "off" });

function pendingChoice() {
  return h("select", { name: "pending" },
    h("option", { value: "" }, "Deliver all in order"),
    h("option", { value: "one" }, "Deliver one at a time"),
    h("option", { value: "latest" }, "Deliver only the latest"));
}

function fields(agents) {
  return [
    field("Prompt", h("textarea", { name: "prompt", rows: 5, required: true, placeholder: EXAMPLE })),
    h("div", { class: "columns" },
      field("Agent", agentChoice(agents)),
      field("Directory", textInput("dir", "New empty directory"), "Absolute path on the hub's machine.")),
    h("details", {}, h("summary", {}, "Advanced"),
      h("div", { class: "columns" },
        field("Name", textInput("run_id", "Generated")),
        field("Worker", textInput("worker", "Any"))),
      h("div", { class: "columns" },
        field("Pending steers", pendingChoice()),
        field("Max attempts",
          h("input", { name: "attempts", type: "number", min: 1, max: 20, placeholder: "Default" }),
          "Used when the agent crashes."))),
  ];
}

async function start(values, opened) {
  const wish = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === "") continue;
    wish[name] = name === "attempts" ? Number(value) : name === "prompt" ? value : value.trim();
  }
  opened(await hub.createRun(wish));
}

export function newRunDialog(agents, opened) {
  ask({ title: "New run", body: fields(agents), action: "Start run", submit: (values) => start(values, opened) });
}

/** The home page while there are no runs: the same form with a short introduction. */
export function welcome(agents, opened) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const form = h("form", { class: "welcome-form" }, ...fields(agents), wrong,
    h("footer", {}, h("button", { type: "submit", class: "primary" }, "Start run")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await start(Object.fromEntries(new FormData(form)), opened);
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  });
  const real = agents.some((agent) => agent.found && agent.name !== "rehearsal");
  return h("section", { class: "welcome" },
    h("h1", {}, "Start your first run"),
    h("p", {}, "Midcourse runs a coding agent. You can send it messages while it works; the receipt of each message "
      + "shows how far it was delivered."),
    real ? undefined : h("p", { class: "hint" }, "No coding agent is installed on the hub's machine. The built-in "
      + "rehearsal agent is available: it needs no model and runs each line that begins with $ as a command."),
    form);
}
