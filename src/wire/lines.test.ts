import { expect, test } from 'vitest';
import { createLineReader } from './lines.ts';

function read(chunks: readonly string[], maxBytes = 100): { lines: string[]; tooLong: number } {
  const lines: string[] = [];
  let tooLong = 0;
  const take = createLineReader(
    maxBytes,
    (line) => lines.push(line.toString('utf8')),
    () => {
      tooLong += 1;
    },
  );
  for (const chunk of chunks) take(Buffer.from(chunk, 'latin1'));
  return { lines, tooLong };
}

test('a line may arrive in several chunks, and a chunk may contain several lines', () => {
  expect(read(['a', 'b', 'c\nd\n', '\n', 'e']).lines).toEqual(['abc', 'd', '']);
});

test('a chunk may end within a character', () => {
  const [first = '', second = ''] = Buffer.from('ä\n').toString('latin1').split('');
  expect(read([first, `${second}\n`]).lines).toEqual(['ä']);
});

test('limits an unfinished line, however many lines have ended before', () => {
  expect(read(['12345\n67890\n', '123', '456\n'], 5)).toEqual({
    lines: ['12345', '67890', '123456'],
    tooLong: 0,
  });
  expect(read(['1\n123', '456'], 5).tooLong).toBe(1);
});

test('collects a long line as it arrives, in memory that another thread can read', () => {
  const lines: Buffer[] = [];
  const take = createLineReader(
    2 << 20,
    (line) => lines.push(line),
    () => {},
  );
  const parts = Array.from({ length: 20 }, (_, at) => String(at % 10).repeat(64 << 10));
  for (const part of [...parts, 'end\nnext\n']) take(Buffer.from(part));
  expect(lines.map(String)).toEqual([`${parts.join('')}end`, 'next']);
  expect(lines.map(({ buffer }) => buffer instanceof SharedArrayBuffer)).toEqual([true, false]);
});

test('a long line whose last chunk exceeds the limit is complete', () => {
  const parts = ['a'.repeat(300 << 10), 'b'.repeat(20 << 10)];
  expect(read([...parts, `${'c'.repeat(100)}\n`], 320 << 10).lines).toEqual([
    `${parts.join('')}${'c'.repeat(100)}`,
  ]);
});

test('reports an unfinished line after each chunk', () => {
  const unfinished: [number, string][] = [];
  const take = createLineReader(
    10,
    () => {},
    () => {},
    (bytes, beginning) => unfinished.push([bytes, beginning().toString()]),
  );
  for (const chunk of ['ab', 'c', 'd\nef', '\n', '12345678901']) take(Buffer.from(chunk));
  expect(unfinished).toEqual([
    [2, 'ab'],
    [3, 'abc'],
    [2, 'ef'],
    [0, ''],
  ]);
});
