// The form that starts a run: in a dialog, and in the middle of the page while there is nothing else.

import { h } from "./dom.js";
import { hub } from "./hub.js";
import { ask, field } from "./dialogs.js";

/** The agents as choices: those that are here first, the others with what installs them. */
function agentChoice(agents) {
  const found = agents.filter((agent) => agent.found);
  const usual = found.find((agent) => agent.name !== "rehearsal") ?? found[0];
  const option = (agent) => h("option", { value: agent.name, disabled: !agent.found, selected: agent === usual }, agent.found ? agent.name : `${agent.name} (not installed)`);
  return h("select", { name: "agent" }, ...found.map(option), ...agents.filter((agent) => !agent.found).map(option));
}

function fields(agents) {
  return [
    field("What is to be done", h("textarea", { name: "prompt", rows: 5, required: true, placeholder: "Fix the flaky test in the parser. Run the tests before you say that you are done." })),
    h("div", { class: "columns" },
      field("Agent", agentChoice(agents)),
      field("Folder", h("input", { name: "dir", placeholder: "a fresh one", spellcheck: "false", autocomplete: "off" }), "An absolute path on the hub's machine.")),
    h("details", {}, h("summary", {}, "More"),
      h("div", { class: "columns" },
        field("Name", h("input", { name: "run_id", placeholder: "made of the prompt", spellcheck: "false", autocomplete: "off" })),
        field("Worker", h("input", { name: "worker", placeholder: "any", spellcheck: "false", autocomplete: "off" }))),
      h("div", { class: "columns" },
        field("When several steers wait", h("select", { name: "pending" }, h("option", { value: "" }, "all, in order"), h("option", { value: "one" }, "one per boundary"), h("option", { value: "latest" }, "only the latest"))),
        field("Attempts", h("input", { name: "attempts", type: "number", min: 1, max: 20, placeholder: "3" }), "When its agent dies."))),
  ];
}

async function start(values, opened) {
  const wish = {};
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() !== "") wish[name] = name === "attempts" ? Number(value) : name === "prompt" ? value : value.trim();
  }
  opened(await hub.post("/runs", wish));
}

export function newRunDialog(agents, opened) {
  ask({ title: "New run", body: fields(agents), action: "Start", submit: (values) => start(values, opened) });
}

/** For the empty page: the same form, with a word about what this is. */
export function welcome(agents, opened) {
  const wrong = h("p", { class: "wrong", role: "alert", hidden: true });
  const form = h("form", { class: "welcome-form" }, ...fields(agents), wrong, h("footer", {}, h("button", { type: "submit", class: "primary" }, "Start the run")));
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
    h("h1", {}, "What should an agent do?"),
    h("p", {}, "It runs here, and you can correct its course while it works. Every correction has a receipt that says how far it really got."),
    real ? undefined : h("p", { class: "hint" }, "No coding agent is installed on the hub's machine, so the built-in rehearsal agent plays one. It needs no model: lines that begin with $ are run as commands."),
    form);
}
