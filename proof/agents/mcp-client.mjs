// A client of the Model Context Protocol, made of npm's SDK and nothing else, for the proof suite.
//   mcp-client stdio PROGRAM ARGUMENT...     mcp-client http ADDRESS TOKEN
// Each line of input is a wish: {} lists the tools, {"call": NAME, "arguments": {…}} calls one.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [door, target, ...rest] = process.argv.slice(2);
if (door === '--version') {
  const about = fileURLToPath(new URL('node_modules/@modelcontextprotocol/sdk/package.json', import.meta.url));
  console.log(JSON.parse(readFileSync(about, 'utf8')).version);
  process.exit(0);
}

const transport =
  door === 'stdio'
    ? new StdioClientTransport({ command: target, args: rest })
    : new StreamableHTTPClientTransport(new URL(target), {
        requestInit: { headers: { Authorization: `Bearer ${rest[0]}` } },
      });
const client = new Client({ name: 'midcourse-proof', version: '1' });
await client.connect(transport);

async function grant(wish) {
  if (!wish.call) {
    const { tools } = await client.listTools();
    return { tools: tools.map((tool) => tool.name) };
  }
  const options = { timeout: 120_000 };
  const result = await client.callTool({ name: wish.call, arguments: wish.arguments }, undefined, options);
  return { refused: result.isError === true, text: result.content[0].text };
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = await grant(JSON.parse(line)).catch((error) => ({ code: error.code ?? 0, message: error.message }));
  console.log(JSON.stringify(answer));
}
await client.close();
