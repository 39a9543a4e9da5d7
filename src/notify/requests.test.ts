import type { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../sandbox/loopback-server.ts';
import { openRequest, postJson } from './requests.ts';

async function serverThat(answer: Parameters<typeof createServer>[1]) {
  const { server, url, close } = await listenOnLoopback();
  onTestFinished(close);
  if (answer) server.on('request', answer);
  return { server, url };
}

const asking = (signal = new AbortController().signal) => ({ who: 'it', signal });

test('the signal ends reading a response', async () => {
  const { url } = await serverThat((_, response) => response.writeHead(200).write('first'));
  const stop = new AbortController();
  const response = await openRequest(url, { ...asking(stop.signal), method: 'GET' });
  const read = async () => {
    for await (const chunk of response) if (String(chunk) === 'first') stop.abort();
  };
  await expect(read()).rejects.toThrow();
});

test('the signal and the deadline end an unanswered request', async () => {
  const { server, url } = await serverThat(() => {});
  const stop = new AbortController();
  server.once('request', () => stop.abort());
  await expect(postJson(url, {}, asking(stop.signal))).rejects.toThrow('was not waited for');
  await expect(postJson(url, {}, { ...asking(), deadlineMs: 1 })).rejects.toThrow('did not answer in time');
  await expect(postJson(url, {}, asking(AbortSignal.abort()))).rejects.toThrow('was not waited for');
});

test("doesn't follow redirects", async () => {
  const seen: string[] = [];
  const { url } = await serverThat((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  await expect(postJson(url, {}, asking())).rejects.toThrow('it answered 307');
  expect(seen).toEqual(['/']);
});
