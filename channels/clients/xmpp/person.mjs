// A person in XMPP: node person.mjs PORT DOMAIN NAME PASSWORD. Each line of the standard input is a stanza as JSON:
// [name, attributes, child…], a child being a text or another such list. Each stanza that comes is a line of XML on the
// standard output.
import { createInterface } from 'node:readline';
import { client, xml } from '@xmpp/client';

const [port, domain, username, password] = process.argv.slice(2);
const build = ([name, attributes, ...children]) =>
  xml(name, attributes, ...children.map((child) => (Array.isArray(child) ? build(child) : child)));
const person = client({
  service: `xmpp://127.0.0.1:${port}`, domain, resource: 'person', username, password,
});
person.on('error', (error) => console.log(`error ${error}`));
person.on('stanza', (stanza) => console.log(stanza.toString()));
person.on('online', async () => {
  await person.send(xml('presence'));
  console.log('online');
});
createInterface({ input: process.stdin }).on('line', (line) => person.send(build(JSON.parse(line))));
person.start().catch((error) => console.log(`error ${error}`));
