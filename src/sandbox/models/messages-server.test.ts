import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelServer } from '../script.ts';
import { startMessagesServer } from './messages-server.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startMessagesServer([
    [{ text: 'First.' }, { tool: 'Bash', input: { command: 'ls' } }],
    'Last.',
  ]);
});
afterEach(() => server.close());

const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
const assistant = { role: 'assistant', content: [] };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'a file' }] };

async function post(path: string, body: unknown): Promise<Response> {
  return await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) });
}

test('a step answers the call after as many assistant turns', async () => {
  const call = { model: 'm', tools: [{ name: 'Bash' }] };
  const first = await post('/v1/messages?beta=true', { ...call, messages: [user] });
  expect(await first.json()).toMatchObject({
    model: 'm',
    stop_reason: 'tool_use',
    content: [
      { type: 'text', text: 'First.' },
      { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
    ],
  });
  const last = await post('/v1/messages', { ...call, stream: true, messages: [user, assistant, result] });
  expect(last.headers.get('content-type')).toBe('text/event-stream');
  const events = [...(await last.text()).matchAll(/^event: (.*)$/gm)].map((match) => match[1]);
  expect(events).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(server.told(0)).toContain('Hi');
  expect(server.results(1)).toEqual(['a file']);
  expect(server.told(2)).toBe(undefined);
  expect(server.missingSteps).toEqual([]);
});

test('reports a turn that continues past its script', async () => {
  await post('/v1/messages', { model: 'm', tools: [{}], messages: [user, assistant, user, assistant, user] });
  expect(server.missingSteps).toEqual([2]);
});

test('side calls get a harmless answer and use no step', async () => {
  const title = await post('/v1/messages', { model: 'small', messages: [user] });
  expect(await title.json()).toMatchObject({ content: [{ type: 'text', text: 'ok' }] });
  const count = await post('/v1/messages/count_tokens', { model: 'm', messages: [user] });
  expect(await count.json()).toEqual({ input_tokens: 1 });
  expect(await (await fetch(`${server.url}/api/hello`)).json()).toEqual({});
  expect(server.requests.map(({ method, path, step }) => [method, path, step])).toEqual([
    ['POST', '/v1/messages', null],
    ['POST', '/v1/messages/count_tokens', null],
    ['GET', '/api/hello', null],
  ]);
});
