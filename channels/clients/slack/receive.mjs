// Connects to a Slack at the given address with Slack's own client for Socket Mode, prints one JSON line for each
// envelope and acknowledges it. Ends after as many envelopes as asked for.
// Usage: node receive.mjs API_URL APP_TOKEN COUNT
import { SocketModeClient } from '@slack/socket-mode';

const [apiUrl, appToken, count] = process.argv.slice(2);
const client = new SocketModeClient({
  appToken,
  logLevel: 'error',
  clientPingTimeout: 500,
  clientOptions: { slackApiUrl: apiUrl },
});
let seen = 0;
client.on('connected', () => console.log(JSON.stringify({ connected: true })));
client.on('slack_event', async ({ ack, type, body, retry_num }) => {
  await ack();
  console.log(JSON.stringify({ type, body, retry_num }));
  seen += 1;
  if (seen === Number(count)) {
    await client.disconnect();
    process.exit(0);
  }
});
await client.start();
