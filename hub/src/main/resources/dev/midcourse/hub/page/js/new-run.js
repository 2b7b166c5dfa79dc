// The form that starts a run: in a dialog, and on the home page while there are no runs.

import { h } from "./dom.js";
import { hub } from "./hub.js";
import { ask, field } from "./dialogs.js";

const EXAMPLE = "Fix the flaky test in the parser. Run the tests before you finish.";

function agentOptions(agents) {
  const found = agents.filter((agent) => agent.found);
  const preselected = found.find((agent) => agent.name !== "rehearsal") ?? found[0];
  const option = (agent) =>
    h("option", { value: agent.name, disabled: !agent.found, selected: agent === preselected },
      agent.found ? agent.name : `${agent.name} (not installed)`);
  return [...found.map(option), ...agents.filter((agent) => !agent.found).map(option)];
}

/**
 * The agents as options: the installed ones first, the others disabled. The form may be opened before the hub has
 * answered, so the options come when the promise is kept. Without an option the hub chooses the agent.
 */
function agentChoice(agentsLoaded) {
  const hubChooses = (text) => h("option", { value: "" }, text);
  const select = h("select", { name: "agent" }, hubChooses("Loading agents"));
  agentsLoaded.then(
    (agents) => select.replaceChildren(...agentOptions(agents)),
    () => select.replaceChildren(hubChooses("Chosen by the hub (the list of agents could not be loaded)")));
  return select;
}

const DEFAULT_ATTEMPTS = 5; // as in RunSpec of the core module
const MAX_RECENT = 12;

const textInput = (name, placeholder, more = {}) =>
  h("input", { name, placeholder, spellcheck: "false", autocomplete: "off", ...more });

/** The directories of earlier runs, newest first, without those that the hub made for one run. */
function recentDirectories(runs) {
  const newest = [...runs].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const made = ({ dir, run_id: id }) => dir.endsWith(`/runs/${id}/work`) || dir.endsWith(`/worktrees/${id}`);
  const chosen = newest.filter((run) => run.dir && !made(run)).map(({ dir }) => dir);
  return [...new Set(chosen)].slice(0, MAX_RECENT);
}

function directoryField(runs) {
  const recent = recentDirectories(runs);
  const list = h("datalist", { id: "recent-directories" }, ...recent.map((dir) => h("option", { value: dir })));
  const hint = "Absolute path on the hub's machine. If empty, the hub makes a new empty directory for this run.";
  return [
    field("Directory", textInput("dir", "New empty directory", { list: "recent-directories" }),
      recent.length > 0 ? `${hint} Recent directories are suggested.` : hint),
    list,
  ];
}

function pendingChoice() {
  return h("select", { name: "pending" },
    h("option", { value: "" }, "Deliver all in order"),
    h("option", { value: "one" }, "Deliver one at a time"),
    h("option", { value: "latest" }, "Deliver only the latest"));
}

function fields(agentsLoaded, runs) {
  return [
    field("Prompt", h("textarea", { name: "prompt", rows: 5, required: true, placeholder: EXAMPLE })),
    h("div", { class: "columns" },
      field("Agent", agentChoice(agentsLoaded)),
      h("div", {}, ...directoryField(runs))),
    h("details", {}, h("summary", {}, "Advanced"),
      h("div", { class: "columns" },
        field("Name", textInput("run_id", "Generated")),
        field("Worker", textInput("worker", "Any"))),
      h("div", { class: "columns" },
        field("Pending steers", pendingChoice()),
        field("Max attempts",
          h("input", { name: "attempts", type: "number", min: 1, max: 100, placeholder: DEFAULT_ATTEMPTS }),
          `If the agent crashes, it is started again. Default: the worker's setting, else ${DEFAULT_ATTEMPTS}.`))),
  ];
}

async function start(values, opened) {
  const request = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === "") continue;
    request[name] = name === "attempts" ? Number(value) : name === "prompt" ? value : value.trim();
  }
  opened(await hub.createRun(request));
}

export function newRunDialog(agentsLoaded, runs, opened) {
  ask({ title: "New run", body: fields(agentsLoaded, runs), action: "Start run", submit: (values) => start(values, opened) });
}

/** The home page while there are no runs: the same form with a short introduction. */
export function welcome(agents, opened) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const form = h("form", { class: "welcome-form" }, ...fields(Promise.resolve(agents), []), wrong,
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
