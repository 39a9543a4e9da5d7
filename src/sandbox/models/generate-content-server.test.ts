import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ModelServer } from '../script.ts';
import { startGenerateContentServer } from './generate-content-server.ts';

let server: ModelServer;
const user = { role: 'user', parts: [{ text: 'Hi' }] };
const model = { role: 'model', parts: [{ functionCall: { name: 'glob', args: {} } }] };
const result = {
  role: 'user',
  parts: [{ functionResponse: { name: 'glob', response: { output: 'a file' } } }],
};
const tools = [{ functionDeclarations: [] }];

beforeEach(async () => {
  server = await startGenerateContentServer([
    [{ text: 'First.' }, { tool: 'glob', input: { pattern: '*' } }],
    'Second.',
  ]);
});
afterEach(() => server.close());

function post(method: string, body: unknown): Promise<Response> {
  const url = `${server.url}/v1beta/models/m:${method}?alt=sse`;
  return fetch(url, { method: 'POST', body: JSON.stringify(body) });
}

test('a step answers the call after as many model turns', async () => {
  const first = await post('streamGenerateContent', { contents: [user], tools });
  expect(first.headers.get('content-type')).toBe('text/event-stream');
  const chunks = (await first.text())
    .split('\r\n\r\n')
    .filter((chunk) => chunk !== '')
    .map((chunk) => JSON.parse(chunk.replace(/^data: /, '')).candidates[0]);
  expect(chunks.map(({ content }) => content.parts)).toEqual([
    [{ text: 'First.' }],
    [{ functionCall: { name: 'glob', args: { pattern: '*' } } }],
  ]);
  expect(chunks.map(({ finishReason }) => finishReason)).toEqual([undefined, 'STOP']);
  const last = await post('streamGenerateContent', { contents: [user, model, result], tools });
  expect(await last.text()).toContain('Second.');
  expect(server.told(0)).toContain('Hi');
  expect(server.results(1)).toEqual(['{"output":"a file"}']);
  expect(server.told(2)).toBe(undefined);
  expect(server.missingSteps).toEqual([]);
});

test('reports a turn that continues past its script', async () => {
  await post('streamGenerateContent', { contents: [user, model, user, model, user], tools });
  expect(server.missingSteps).toEqual([2]);
});

test('side calls get a harmless answer and use no step', async () => {
  const routing = await post('generateContent', { contents: [user] });
  expect(await routing.json()).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
  const count = await post('countTokens', { contents: [user] });
  expect(await count.json()).toEqual({ totalTokens: 1 });
  expect(server.requests.map(({ step }) => step)).toEqual([null, null]);
});
