import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { SpanData } from '../../history/spans.ts';
import { sendSpans } from './otlp.ts';

const turn: SpanData = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: null,
  name: 'turn',
  startMs: 1_700_000_000_000,
  endMs: 1_700_000_001_000,
  failed: false,
  attributes: { 'hookline.agent': 'someone' },
};
const call: SpanData = {
  ...turn,
  spanId: 'c'.repeat(16),
  parentId: turn.spanId,
  name: 'tool Bash',
  failed: true,
  attributes: { 'hookline.decision': 'deny', 'hookline.rules': ['no-rm'], 'hookline.latency_ms': 1.5 },
};

async function collector(status: number) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(`${request.url} ${request.headers['x-team']} ${Buffer.concat(chunks).toString('utf8')}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1/traces`, bodies };
}

test('a collector gets the turn and its call, with our ids', async () => {
  const { url, bodies } = await collector(200);
  await sendSpans([turn, call], url, { 'x-team': 'shop' });
  expect(bodies).toHaveLength(1);
  const [body = ''] = bodies;
  expect(body.startsWith('/v1/traces shop ')).toBe(true);
  const sent = JSON.parse(body.slice('/v1/traces shop '.length)).resourceSpans[0].scopeSpans[0].spans;
  expect(sent).toMatchObject([
    { traceId: turn.traceId, spanId: turn.spanId, name: 'turn', endTimeUnixNano: '1700000001000000000' },
    { spanId: call.spanId, parentSpanId: turn.spanId, status: { code: 2 } },
  ]);
  expect(JSON.stringify(sent)).toContain('no-rm');
});

test('a collector that refuses is reported', async () => {
  const { url } = await collector(400);
  await expect(sendSpans([turn], url, {})).rejects.toThrow();
});
