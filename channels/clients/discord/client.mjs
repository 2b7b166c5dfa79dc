// Uses the fake Discord through discord.js: node client.mjs API_URL TOKEN CHANNEL
// Prints a line of JSON for each thing that happens; reads commands from stdin, one a line.
import { createInterface } from 'node:readline';
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, Events, GatewayIntentBits, Partials } from 'discord.js';

const [api, token, channelId] = process.argv.slice(2);
const say = (event, more = {}) => console.log(JSON.stringify({ event, ...more }));

const client = new Client({
  intents: [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ],
  partials: [Partials.Channel, Partials.Message],
  rest: { api, version: '10' },
});

client.once(Events.ClientReady, (ready) => say('ready', { id: ready.user.id }));
client.on(Events.ShardResume, () => say('resumed'));
client.on(Events.MessageCreate, (message) =>
  say('message', {
    text: message.content,
    channel: message.channelId,
    thread: message.channel.isThread(),
    mine: message.author.id === client.user.id,
  }));
client.on(Events.MessageUpdate, (_, message) => say('edit', { text: message.content }));
client.on(Events.MessageDelete, (message) => say('delete', { id: message.id }));
client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isButton()) return;
  await interaction.deferUpdate();
  say('click', { button: interaction.customId, user: interaction.user.id, message: interaction.message.id });
});
client.on(Events.Error, (error) => say('error', { text: String(error) }));

async function run(command) {
  const channel = await client.channels.fetch(channelId);
  if (command === 'send') {
    const row = new ActionRowBuilder().addComponents(
      new ButtonBuilder().setCustomId('yes').setLabel('Yes').setStyle(ButtonStyle.Primary));
    const sent = await channel.send({ content: 'of discord.js', components: [row], nonce: 'n1', enforceNonce: true });
    const again = await channel.send({ content: 'of discord.js', nonce: 'n1', enforceNonce: true });
    say('sent', { id: sent.id, same: sent.id === again.id });
    await sent.edit('edited');
    await sent.react('👀');
    await channel.sendTyping();
    const history = await channel.messages.fetch({ limit: 10, after: '1' });
    say('history', { texts: [...history.values()].map((message) => message.content) });
  } else if (command === 'stop') {
    await client.destroy();
    process.exit(0);
  }
}

createInterface({ input: process.stdin }).on('line', (line) =>
  run(line.trim()).catch((error) => say('error', { text: String(error) })));
client.login(token).catch((error) => {
  say('error', { text: String(error) });
  process.exit(1);
});
