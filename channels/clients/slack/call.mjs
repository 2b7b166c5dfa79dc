// Calls the web API at the given address with Slack's own client, as a bot would, and prints what came back.
// Usage: node call.mjs API_URL BOT_TOKEN CHANNEL
import { WebClient } from '@slack/web-api';

const [slackApiUrl, token, channel] = process.argv.slice(2);
const client = new WebClient(token, { slackApiUrl, logLevel: 'error', retryConfig: { retries: 0 } });
const me = await client.auth.test();
const block = { type: 'section', text: { type: 'mrkdwn', text: '*Hello*' } };
const posted = await client.chat.postMessage({ channel, text: 'Hello', blocks: [block] });
const reply = await client.chat.postMessage({ channel, text: 'A reply', thread_ts: posted.ts });
await client.chat.update({ channel, ts: posted.ts, text: 'Hello again' });
await client.reactions.add({ channel, timestamp: posted.ts, name: 'eyes' });
const twice = await client.reactions.add({ channel, timestamp: posted.ts, name: 'eyes' }).catch((e) => e.data.error);
const reactions = await client.reactions.get({ channel, timestamp: posted.ts });
await client.reactions.remove({ channel, timestamp: posted.ts, name: 'eyes' });
await client.filesUploadV2({ channel_id: channel, filename: 'a.txt', content: 'the file' });
const history = await client.conversations.history({ channel });
const replies = await client.conversations.replies({ channel, ts: posted.ts });
const unknown = await client.chat
  .postMessage({ channel: 'C0NOWHERE', text: 'x' })
  .catch((e) => e.data.error);
console.log(
  JSON.stringify({
    user: me.user_id,
    twice,
    reaction: reactions.message.reactions[0].name,
    history: history.messages.map((m) => m.text),
    replies: replies.messages.map((m) => m.text),
    isReply: reply.message.thread_ts === posted.ts,
    unknown,
  }),
);
