// The token of this tab. It arrives in the fragment of a link, which the browser sends to no server. The page removes
// it from the address at once, stores it for this tab, and gives it to other tabs of the same origin on request.

const NAME = "midcourse.token";
const channel = "BroadcastChannel" in window ? new BroadcastChannel("midcourse.token") : undefined;
const REPLY_TIMEOUT = 250;

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
    const timer = setTimeout(() => done(undefined), REPLY_TIMEOUT);
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

  /** Finds the token in the address, in this tab or in another tab. Returns whether there is one. */
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
