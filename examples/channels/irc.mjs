#!/usr/bin/env node
// A channel program for Midcourse: rooms of one IRC network, through the library irc-framework.
//
//     npm install irc-framework@4.14.0        # in the folder of this file
//
//     [channels.rooms]
//     kind = "program"
//     command = ["node", "/path/to/examples/channels/irc.mjs", "irc.example.org", "6697", "my-bot", "#my-room"]
//     max_text = 2000
//     send_interval = "1s"
//     token_file = "irc.password"             # the password of the account my-bot; leave it out without an account
//
// docs/channels/program.md describes the lines on standard input and output. Midcourse has a channel `irc` too, which also
// fetches history and knows direct messages; take this as a pattern for the library of another platform.
import { createInterface } from 'node:readline';
import IRC from 'irc-framework';

const [host, port, nick, ...rooms] = process.argv.slice(2);
const ANSWER_TIMEOUT = 30_000;
const SEND_AGAIN_AFTER = 5_000;
const MAX_OWN = 1_000;

const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');
const log = (text) => process.stderr.write(text + '\n');

// To Midcourse: an update is kept until Midcourse has stored it.

const unstored = new Map();
let numbers = 0;

function sendUpdate(update) {
  const ack = String(++numbers);
  unstored.set(ack, update);
  say({ type: 'update', ack, update });
}

function sendAgain(ack) {
  const update = unstored.get(ack);
  if (update) setTimeout(() => say({ type: 'update', ack, update }), SEND_AGAIN_AFTER);
}

// From the network. irc-framework asks for account-tag and message-tags by itself.

const client = new IRC.Client();
client.requestCap(['echo-message']); // so that we learn the ids of our messages
const own = new Set(); // the ids of our newest messages

client.on('registered', () => {
  say({ type: 'hello', account: client.user.nick });
  rooms.forEach((room) => client.join(room));
});

client.on('privmsg', (event) => {
  const id = event.tags?.msgid ?? `local-${Date.now()}-${++numbers}`;
  if (event.nick === client.user.nick) {
    echoed.push(id);
    return;
  }
  if (!event.target.startsWith('#')) {
    client.notice(event.nick, 'Write to me in ' + rooms.join(', ') + '.');
    return;
  }
  const mention = new RegExp(`^${escaped(client.user.nick)}[:,]\\s*`, 'i');
  const update = {
    message_id: id,
    chat: { id: event.target.toLowerCase(), kind: 'group', name: event.target },
    // A nick belongs to whoever takes it, an account to one person. Never let in a guest.
    sender: { id: event.tags?.account ?? 'guest:' + event.nick, name: event.nick },
    text: event.message,
    bare_text: event.message.replace(mention, ''),
    mentioned: mention.test(event.message),
  };
  const answered = event.tags?.['+draft/reply'];
  if (answered) update.reply_to = { message_id: answered, ours: own.has(answered) };
  sendUpdate(update);
});

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

// To the network: one request after the other, so that each echo and each error belongs to one request.

let echoed = [];
let refusal;
let requests = Promise.resolve();

client.on('irc error', (event) => {
  refusal = event.reason ?? event.error;
});

async function carryOut(request) {
  if (!client.connected) return { result: 'retry', after: 5, reason: 'there is no connection' };
  if (request.type !== 'text') return { result: 'refused', reason: `IRC has no form for ${request.type}` };
  echoed = [];
  refusal = undefined;
  const tags = request.reply_to && client.network.cap.isEnabled('message-tags')
    ? { '+draft/reply': request.reply_to }
    : {};
  client.say(request.chat, request.text, tags); // one line after the other
  if (!(await serverHasRead())) return { result: 'unknown', reason: 'the server did not answer' };
  const isSilent = client.network.cap.isEnabled('echo-message') && echoed.length === 0;
  if (refusal || isSilent) return { result: 'refused', reason: refusal ?? 'the server did not send it to anybody' };
  echoed.forEach((id) => own.add(id));
  for (const id of own) if (own.size > MAX_OWN) own.delete(id);
  return { result: 'sent', message_id: echoed[0] ?? `own-${++numbers}` };
}

/** Whether the server answers a PING: it has then read what came before. */
function serverHasRead() {
  const token = `sent-${++numbers}`;
  return new Promise((resolve) => {
    const answered = (event) => event.message === token && end(true);
    const end = (read) => {
      clearTimeout(timer);
      client.off('pong', answered);
      resolve(read);
    };
    const timer = setTimeout(end, ANSWER_TIMEOUT, false);
    client.on('pong', answered);
    client.raw('PING', token);
  });
}

// From Midcourse.

createInterface({ input: process.stdin })
  .on('line', (text) => {
    const line = JSON.parse(text);
    switch (line.type) {
      case 'ping':
        say({ type: 'pong' });
        break;
      case 'request':
        requests = requests.then(async () => say({ type: 'result', id: line.request.id, ...(await carryOut(line.request)) }));
        break;
      case 'stored':
        unstored.delete(line.ack);
        break;
      case 'refused':
        log(`refused: ${line.reason}`);
        unstored.delete(line.ack);
        break;
      case 'send_again':
        sendAgain(line.ack);
        break;
      default: // of a later version
    }
  })
  .on('close', () => { // Midcourse has closed the channel
    client.quit();
    setTimeout(() => process.exit(0), 1_000);
  });

// The connection. When it is lost or cannot be made, the program ends, and Midcourse starts it again after a while.

client.on('sasl failed', () => {
  say({ type: 'stopped', reason: 'the network refused the password', remedy: 'Correct it in token_file.' });
});
client.on('nick in use', () => {
  log(`the nick ${nick} is in use`);
  process.exit(1);
});
client.on('close', () => process.exit(process.stdin.readableEnded ? 0 : 1));

const password = process.env.MIDCOURSE_CHANNEL_TOKEN;
client.connect({
  host,
  port: Number(port),
  tls: !['127.0.0.1', '::1', 'localhost'].includes(host),
  nick,
  username: nick,
  gecos: 'Midcourse',
  auto_reconnect: false,
  account: password ? { account: nick, password } : undefined,
  sasl_disconnect_on_fail: true,
});
