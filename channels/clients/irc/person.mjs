// A person in IRC: node person.mjs PORT NICK [ACCOUNT PASSWORD]. Commands are lines of JSON on the standard
// input; everything that happens is a line of JSON on the standard output.
import { createInterface } from 'node:readline';
import IRC from 'irc-framework';

const [port, nick, account, password] = process.argv.slice(2);
const say = (what) => console.log(JSON.stringify(what));
const client = new IRC.Client();
client.requestCap(['echo-message', 'message-tags', 'labeled-response', 'account-tag']);
client.on('registered', () => say({ type: 'registered', nick: client.user.nick }));
client.on('join', (event) => say({ type: 'join', nick: event.nick, room: event.channel }));
client.on('message', (event) =>
  say({ type: event.type, nick: event.nick, to: event.target, text: event.message, tags: event.tags }));
client.on('close', () => say({ type: 'closed' }));
client.on('irc error', (event) => say({ type: 'error', error: event.error, reason: event.reason }));
client.on('nick', (event) => say({ type: 'nick', nick: event.nick, now: event.new_nick }));
client.connect({
  host: '127.0.0.1', port: Number(port), nick, username: nick, gecos: nick, auto_reconnect: false,
  account: account ? { account, password } : undefined,
});
createInterface({ input: process.stdin }).on('line', (line) => {
  const { raw, join, to, text, tags } = JSON.parse(line);
  if (raw) client.raw(raw);
  if (join) client.join(join);
  if (text) client.say(to, text, tags);
});
