import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startRefusingProxy } from './refusing-proxy.ts';

test('rejects and records every requested host', async () => {
  const proxy = await startRefusingProxy();
  const ask = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(proxy.url, { method, path });
      asked.on('connect', (response) => resolve(response.statusCode));
      asked.on('response', (response) => resolve(response.resume().statusCode));
      asked.on('error', reject);
      asked.end();
    });
  expect(await ask('CONNECT', 'example.com:443')).toBe(403);
  expect(await ask('GET', 'http://example.com/')).toBe(403);
  expect(proxy.wanted).toEqual(['CONNECT example.com:443', 'GET http://example.com/']);
  for (let times = 0; times < 220; times += 1) await ask('GET', `http://${'x'.repeat(300)}.example/`);
  expect(proxy.wanted).toHaveLength(200);
  expect(Math.max(...proxy.wanted.map((one) => one.length))).toBe(200);
  await proxy.close();
});
