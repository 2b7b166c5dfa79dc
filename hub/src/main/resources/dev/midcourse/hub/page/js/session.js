// The session of this browser. A single-use code starts it. Its private key is made here, and no script can read it.
// For each connection the hub first proves with its key that it is the hub of this session, then this page proves
// that it has the session's key and gets an access token. The token is worth nothing once that hub process has ended.
// So a stranger who listens at this address while the hub is down receives nothing of worth.

import { keyStore } from "./key-store.js";

const NAME = "midcourse.session";
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };
const NONCE_BYTES = 24;
const LOCK = `${NAME}.`; // a tab holds a shared lock with this name and the id of its session

/** The sign-in failed; the message says what to do. */
export class SignInError extends Error {}

/** The session was revoked or has expired. The hub has proved that this is so. */
export class SessionEnded extends SignInError {
  constructor() {
    super("This browser is no longer signed in. Run midcourse status on the hub's machine and open the link it prints.");
  }
}

/** Another program than the hub of this session answers at this address. */
export class OtherHub extends SignInError {
  constructor() {
    super("Another program answers at this address, not the hub where you signed in. No secret was sent to it.");
  }
}

/** Whether this browser can keep a key at this address. */
export const canKeepKeys = () => globalThis.crypto?.subtle !== undefined;

const encode = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const decode = (text) =>
  Uint8Array.from(atob(String(text).replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));

/** Sends a request without a secret. Throws a `TypeError` if nothing answers. */
async function post(path, body, signal) {
  const response = await fetch(`/api/v1/${path}`, {
    method: "POST",
    signal,
    cache: "no-store",
    credentials: "omit",
    headers: { "Content-Type": "application/json", "Midcourse-Origin": "page" },
    body: JSON.stringify(body),
  });
  return { ok: response.ok, status: response.status, body: await response.json().catch(() => ({})) };
}

/** The name of this browser in the list of sessions. */
function browserName() {
  const agent = navigator.userAgent;
  const browser = /Edg\//.test(agent) ? "Edge" : /OPR\//.test(agent) ? "Opera" : /Firefox\//.test(agent) ? "Firefox"
    : /Chrome\//.test(agent) ? "Chromium" : /Safari\//.test(agent) ? "Safari" : "Browser";
  const system = /Android/.test(agent) ? "Android" : /iPhone|iPad/.test(agent) ? "iOS" : /Windows/.test(agent)
    ? "Windows" : /Mac OS/.test(agent) ? "macOS" : /Linux/.test(agent) ? "Linux" : "another system";
  return `${browser} on ${system}`;
}

/** Removes a code from the address and returns it. */
function codeFromAddress() {
  const found = /^#code=([A-Za-z0-9]+)$/.exec(location.hash);
  if (!found) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return found[1];
}

/** The ids of the sessions that open tabs of this browser use. The browser knows, however busy a tab is. */
async function idsInUse() {
  const { held } = await navigator.locks.query();
  return new Set(held.filter(({ name }) => name.startsWith(LOCK)).map(({ name }) => name.slice(LOCK.length)));
}

class Session {
  constructor() {
    this.record = undefined; // { id, key, hubKey, port, stay, expiresAt }
    this.token = undefined;
    this.renewal = undefined;
    this.releaseLock = () => {};
  }

  get id() {
    return this.record?.id;
  }

  get stay() {
    return this.record?.stay === true;
  }

  /** Signs in with the session of this tab, this browser or the code in the address. Returns whether it is signed in. */
  async find() {
    const code = codeFromAddress();
    this.#use(await this.#stored());
    if (this.record && (await this.#isOpen(code))) return true;
    if (!code) return false;
    await this.signIn(code, false);
    return true;
  }

  /** Takes this session for this tab, and holds its lock while the tab is open. */
  #use(record) {
    this.releaseLock();
    this.record = record;
    if (!record) return;
    const released = new Promise((resolve) => (this.releaseLock = resolve));
    navigator.locks.request(LOCK + record.id, { mode: "shared" }, () => released);
  }

  async #stored() {
    const records = (await keyStore.all()).filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now());
    const named = (id) => records.find((record) => record.id === id);
    const found = named(sessionStorage.getItem(NAME)) ?? records.find(({ stay }) => stay);
    if (found || records.length === 0) return found;
    const inUse = await idsInUse();
    const shared = records.find(({ id }) => inUse.has(id));
    // No tab uses the others any more: the browser was closed since.
    if (!shared) await Promise.all(records.map(({ id }) => keyStore.remove(id)));
    return shared;
  }

  /** Whether the stored session can be used. Ends a code that is not needed then: it is in the browser's history. */
  async #isOpen(code) {
    try {
      const token = await this.accessToken();
      sessionStorage.setItem(NAME, this.record.id);
      if (code) await this.#discard(code, token);
      return true;
    } catch (error) {
      if (error instanceof TypeError) return !code; // the hub does not answer; the page tries again
      if (error instanceof SessionEnded) await this.forget();
      if (error instanceof SignInError && code) return false;
      throw error;
    }
  }

  async #discard(code, token) {
    await fetch("/api/v1/sign-in-codes/discard", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    }).catch(() => {});
  }

  /** Trades a code for a session. */
  async signIn(code, stay) {
    const pair = await crypto.subtle.generateKey(ALGORITHM, false, ["sign", "verify"]);
    const publicKey = encode(await crypto.subtle.exportKey("spki", pair.publicKey));
    const answer = await post("sessions",
      { code, public_key: publicKey, origin: location.origin, browser: browserName(), stay });
    if (!answer.ok) throw new SignInError(answer.body.detail ?? `The hub answered ${answer.status}.`);
    const { session_id, hub_key, port, expires_at } = answer.body;
    const hubKey = await crypto.subtle.importKey("spki", decode(hub_key), ALGORITHM, true, ["verify"]);
    this.token = undefined;
    this.#use({ id: session_id, key: pair.privateKey, hubKey, port, stay, expiresAt: expires_at });
    sessionStorage.setItem(NAME, session_id);
    await keyStore.put(this.record);
  }

  /** Keeps what the hub says about how long the session lasts. */
  async keep({ stay, expires_at }) {
    this.record = { ...this.record, stay, expiresAt: expires_at };
    await keyStore.put(this.record);
  }

  async forget() {
    const { id } = this;
    this.#use(undefined);
    this.token = undefined;
    sessionStorage.removeItem(NAME);
    if (id) await keyStore.remove(id);
  }

  /** The hub may have ended: the next request begins with the proofs. */
  connectionLost() {
    this.token = undefined;
  }

  /** Returns the access token of this connection. Waiting callers share one exchange of proofs. */
  async accessToken(signal) {
    if (this.token) return this.token;
    this.renewal ??= this.#exchangeProofs().finally(() => (this.renewal = undefined));
    this.token = await this.renewal;
    signal?.throwIfAborted();
    return this.token;
  }

  async #exchangeProofs() {
    if (!this.record) throw new SessionEnded();
    const { id, key, hubKey, port } = this.record;
    const { origin } = location;
    const nonce = encode(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
    const answer = await post(`sessions/${id}/challenge`, { nonce, origin });
    if (answer.status === 429) throw new TypeError("the hub has too many requests");
    const { hub_nonce, state, proof } = answer.body;
    const statement = (prover, ...more) =>
      new TextEncoder().encode([`midcourse ${prover} proof 1`, port, origin, id, nonce, hub_nonce, ...more].join("\n"));
    const isHub = answer.ok
      && (await crypto.subtle
        .verify(SIGNATURE, hubKey, decode(proof), statement("hub", String(state).toUpperCase()))
        .catch(() => false));
    if (!isHub) throw new OtherHub();
    if (state !== "active") throw new SessionEnded();
    const signature = encode(await crypto.subtle.sign(SIGNATURE, key, statement("page")));
    const access = await post(`sessions/${id}/access`, { hub_nonce, proof: signature });
    if (!access.ok) throw access.status === 403 ? new SessionEnded() : new TypeError("no access");
    return access.body.access_token;
  }
}

export const session = new Session();
