// How a browser gets in. The token comes in the fragment of a link, which no server sees; it is taken out of
// the address at once and kept for this tab. Another tab of the same page may ask for it.

const NAME = "midcourse.token";
const channel = "BroadcastChannel" in window ? new BroadcastChannel("midcourse.token") : undefined;
const PATIENCE_MILLIS = 250;

channel?.addEventListener("message", (message) => {
  const mine = sessionStorage.getItem(NAME);
  if (message.data === "who has it?" && mine) channel.postMessage({ token: mine });
});

function fromAddress() {
  const found = /^#token=([A-Za-z0-9._~+/=-]+)$/.exec(location.hash);
  if (!found) return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return found[1];
}

function fromAnotherTab() {
  if (!channel) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(undefined), PATIENCE_MILLIS);
    const heard = (message) => {
      if (typeof message.data?.token === "string") done(message.data.token);
    };
    function done(token) {
      clearTimeout(timer);
      channel.removeEventListener("message", heard);
      resolve(token);
    }
    channel.addEventListener("message", heard);
    channel.postMessage("who has it?");
  });
}

export const token = {
  value: "",

  /** The token of this tab, if there is one anywhere. */
  async find() {
    const found = fromAddress() ?? sessionStorage.getItem(NAME) ?? (await fromAnotherTab());
    if (found) this.keep(found);
    return Boolean(found);
  },

  keep(value) {
    this.value = value;
    sessionStorage.setItem(NAME, value);
  },

  forget() {
    this.value = "";
    sessionStorage.removeItem(NAME);
  },
};
