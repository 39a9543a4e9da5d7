import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { withSpinner } from './spinner.ts';

function terminal(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 40 });
  const written: string[] = [];
  stream.on('data', (data) => written.push(String(data)));
  return { stream: stream as unknown as NodeJS.WriteStream, written };
}

test('says at once what it does, and leaves an empty line', async () => {
  const { stream, written } = terminal(true);
  expect(await withSpinner('Looking', async () => written.join(''), stream)).toContain('Looking …');
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('leaves an empty line also where the work fails', async () => {
  const { stream, written } = terminal(true);
  await expect(withSpinner('Looking', () => Promise.reject(new Error('no')), stream)).rejects.toThrow('no');
  expect(written.at(-1)).toBe('\r\x1b[K');
});

test('writes nothing where there is no terminal', async () => {
  const { stream, written } = terminal(false);
  expect(await withSpinner('Looking', async () => 1, stream)).toBe(1);
  expect(written).toEqual([]);
});
