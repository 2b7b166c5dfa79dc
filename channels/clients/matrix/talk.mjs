// Talks with the bot over matrix-js-sdk: opens a direct room, asks, and waits for the answer, its edit and a
// reaction. Prints what it sees, one JSON object a line. Arguments: server, token, own user id, user id of the bot.
// The library allows Node 20, which does not have this function.
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((yes, no) => { resolve = yes; reject = no; });
  return { promise, resolve, reject };
};
const { createClient, ClientEvent, RoomEvent, RoomMemberEvent } = await import('matrix-js-sdk');

const [baseUrl, accessToken, userId, bot] = process.argv.slice(2);
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, getChild: () => silent };
const client = createClient({ baseUrl, accessToken, userId, logger: silent });
const say = (what) => console.log(JSON.stringify(what));
const end = setTimeout(() => { say({ error: 'no answer in time' }); process.exit(1); }, 40_000);

client.on(RoomMemberEvent.Membership, (_, member) => say({ member: member.userId, membership: member.membership }));
client.on(RoomEvent.Timeline, (event) => {
  if (event.getSender() !== bot) return;
  say({ type: event.getType(), content: event.getContent() });
  if (event.getType() === 'm.reaction') {
    clearTimeout(end);
    client.stopClient();
    process.exit(0);
  }
});

await client.startClient({ initialSyncLimit: 5, disablePresence: true });
await new Promise((done) => client.on(ClientEvent.Sync, (state) => state === 'PREPARED' && done()));
const { room_id: room } = await client.createRoom({ is_direct: true, invite: [bot], preset: 'trusted_private_chat' });
say({ room });
while (!(await client.getJoinedRoomMembers(room).then((all) => all.joined[bot], () => false)))
  await new Promise((next) => setTimeout(next, 200));
await client.sendEvent(room, 'm.room.message', {
  msgtype: 'm.text', body: 'fix the login', 'm.mentions': { user_ids: [bot] },
});
