import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { redact } from '../src/redact/redact.ts';
import { closeStore, openStore } from '../src/store/database/open.ts';
import { createRecorder } from '../src/store/record/recorder.ts';
import { turn } from './support/history/history.ts';
import { scratchFolder } from './support/scratch.ts';
import { call } from './support/store/store.ts';

const BIN = fileURLToPath(new URL('../bin/hookline.js', import.meta.url));

/** A home with one session in it. */
function filledHome(): string {
  const home = scratchFolder();
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.yaml'), 'http: { port: 0 }\n');
  const db = openStore(join(home, 'hookline.db'));
  const recorder = createRecorder(db, { redact });
  const agent = AGENTS.get('claude');
  if (!agent) throw new Error('no agent');
  for (const [at, payload] of turn('session-one', 'Fix the auth bug').entries()) {
    const event = agent.decode({ id: `e${at}`, receivedAt: Date.now(), event: null, payload, env: {} });
    recorder.commit(call(recorder.place(event)));
  }
  closeStore(db);
  return home;
}

async function connected(home: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH ?? '', HOME: home, HOOKLINE_HOME: home };
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function ask(client: Client, name: string, given: Record<string, unknown>): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: given });
  const [block] = content;
  if (block?.type !== 'text') throw new Error('no text');
  const answer: unknown = JSON.parse(block.text);
  return typeof answer === 'object' && answer !== null && 'found' in answer ? answer.found : answer;
}

test('the official client gets answers from every tool', async () => {
  const client = await connected(filledHome());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['search', 'timeline', 'file_history', 'session', 'notes', 'recent', 'note'],
  ]);
  for (const { name, inputSchema, annotations } of tools) {
    expect(inputSchema.type).toBe('object');
    expect(annotations?.readOnlyHint).toBe(name !== 'note');
  }
  expect(await ask(client, 'search', { query: 'auth bug' })).toMatchObject([
    {
      session: 'session-one',
      kind: 'intent',
      snippet: 'Fix the auth bug',
      why: 'matches auth, bug in prompt, outcome',
      turn: { asked: 'Fix the auth bug', outcome: 'Done with: Fix the auth bug' },
    },
  ]);
  expect(await ask(client, 'timeline', { session: 'session' })).toMatchObject([
    { kind: 'intent' },
    { kind: 'command', exitCode: 1 },
    { kind: 'error' },
    { kind: 'file', path: 'src/login.ts' },
    { kind: 'turn_end' },
  ]);
  expect(await ask(client, 'file_history', { path: 'login.ts' })).toMatchObject([
    { before: { text: 'old' } },
  ]);
  expect(await ask(client, 'session', { session: 'session-one' })).toMatchObject({
    line: 'Fix the auth bug · 1 file changed, 1 command, tests failing (1 run), 1 error',
  });
  expect(await ask(client, 'recent', {})).toMatchObject([{ session: 'session-one' }]);
  expect(await ask(client, 'recent', { agent: 'claude', since: '1d' })).toHaveLength(1);
  for (const tool of ['recent', 'search', 'file_history']) {
    const given = { query: 'auth', path: 'login.ts', until: '1d' };
    expect([tool, await ask(client, tool, given)]).toEqual([tool, []]);
  }
  expect(await ask(client, 'timeline', { session: 'nothing' })).toHaveProperty('problem');
  expect(await ask(client, 'note', { text: 'Sessions expire after an hour.' })).toMatchObject({
    id: expect.stringMatching(/^note-/),
  });
  expect(await ask(client, 'notes', {})).toMatchObject([{ text: 'Sessions expire after an hour.' }]);
  expect(await ask(client, 'search', { query: 'sessions expire' })).toMatchObject([{ kind: 'note' }]);
});

test('a question that makes no sense is answered with an error, not with silence', async () => {
  const client = await connected(filledHome());
  const answer = await client
    .callTool({ name: 'search', arguments: { limit: 'many' } })
    .catch((error: Error) => error);
  expect(answer instanceof Error || answer.isError === true).toBe(true);
});
