// The sign-in form, and the list of signed-in browsers.

import { h, show, text } from "./dom.js";
import { ask, toast } from "./dialogs.js";
import { ago, moment } from "./format.js";
import { hub } from "./hub.js";
import { canKeepKeys, session } from "./session.js";

const gate = document.getElementById("gate");
const wrong = document.getElementById("gate-wrong");
const input = document.getElementById("gate-code");
const stay = document.getElementById("gate-stay");

const NOT_ENCRYPTED =
  "The connection to this address is not encrypted, so the browser keeps no key for it, and you cannot sign in here."
  + " Use TLS, or a tunnel: ssh -L 8787:127.0.0.1:8787 HOST, then open http" + "://127.0.0.1:8787.";

export function showGate(words) {
  show(document.getElementById("app"), false);
  show(gate, true);
  const problem = canKeepKeys() ? words : NOT_ENCRYPTED;
  text(wrong, problem ? problem[0].toUpperCase() + problem.slice(1) : "");
  show(wrong, Boolean(problem));
  for (const field of gate.querySelectorAll("input, button")) field.disabled = !canKeepKeys();
  input.focus();
}

export const hideGate = () => show(gate, false);

/** Reads a link or a code that was pasted. A link to another address is opened there. */
function pastedCode(words) {
  const link = /^(https?:\/\/[^/\s]+)\S*#code=([A-Za-z0-9]+)$/.exec(words);
  if (!link) return words;
  if (link[1] === location.origin) return link[2];
  location.assign(words);
  return undefined;
}

document.getElementById("gate-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const code = pastedCode(input.value.trim());
  if (!code) return;
  try {
    await session.signIn(code, stay.checked);
    location.reload();
  } catch (error) {
    input.value = "";
    showGate(error instanceof TypeError ? "The hub does not answer." : error.message);
  }
});

function row(one, changed) {
  const mine = one.session_id === session.id;
  const revoke = async () => {
    try {
      await hub.revokeSession(one.session_id);
      if (mine) await signedOut();
      else changed();
    } catch (error) {
      toast(error.message, "bad");
    }
  };
  const ends = `${one.stay ? "stays" : "until the browser closes"}, expires ${moment(Date.parse(one.expires_at))}`;
  return h("li", { class: "session-row", "data-session": one.session_id },
    h("div", {},
      h("strong", {}, one.browser + (mine ? " (this browser)" : "")),
      h("span", { class: "hint" }, `${one.session_id}, last used ${ago(Date.now() - Date.parse(one.last_used_at))} ago`),
      h("span", { class: "hint" }, `signed in ${moment(Date.parse(one.created_at))}, ${ends}`)),
    h("button", { type: "button", class: "quiet", on: { click: revoke } }, "Sign out"));
}

async function signedOut() {
  await session.forget();
  location.replace("/");
}

/** Shows all signed-in browsers, and how long this one stays signed in. */
export async function showSessions() {
  const list = h("ul", { class: "sessions" });
  const load = async () => {
    const { sessions } = await hub.listSessions();
    list.replaceChildren(...sessions.map((one) => row(one, load)));
  };
  const box = h("input", { type: "checkbox", name: "stay", checked: session.stay });
  try {
    await load();
  } catch (error) {
    toast(error.message, "bad");
    return;
  }
  ask({
    title: "Signed-in browsers",
    intro: ["These browsers are signed in at this hub. Programs use the token: midcourse token."],
    body: [list, h("label", { class: "check" }, box, " Stay signed in on this device for 30 days")],
    action: "Save",
    submit: async () => {
      if (box.checked !== session.stay) await session.keep(await hub.changeSession(session.id, { stay: box.checked }));
    },
  });
}
