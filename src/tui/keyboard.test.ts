import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyReader, type Key } from './keyboard.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function keysOf(...chunks: readonly string[]): readonly string[] {
  const keys: Key[] = [];
  const reader = createKeyReader((key) => keys.push(key));
  for (const chunk of chunks) reader.read(chunk);
  vi.advanceTimersByTime(1_000);
  return keys.map((key) => ('text' in key ? `${key.name} ${JSON.stringify(key.text)}` : key.name));
}

test('reads keys one by one and in one chunk', () => {
  expect(keysOf('a', '\r')).toEqual(['text "a"', 'enter']);
  expect(keysOf('no\r')).toEqual(['text "n"', 'text "o"', 'enter']);
  expect(keysOf('\x1b[A\x1b[B\x1bOA\t\x7f\x03')).toEqual([
    'up',
    'down',
    'up',
    'tab',
    'backspace',
    'interrupt',
  ]);
  expect(keysOf('ü👍')).toEqual(['text "ü"', 'text "👍"']);
});

test('joins split sequences; an escape that nothing follows is the Escape key', () => {
  expect(keysOf('\x1b', '[', 'A')).toEqual(['up']);
  expect(keysOf('\x1b')).toEqual(['escape']);
  expect(keysOf('\x1b[1;5C')).toEqual([]);
});

test('a paste is one key, with its line breaks', () => {
  expect(keysOf('\x1b[200~one\r\ntwo\rthree\x1b[201~')).toEqual(['paste "one\\ntwo\\nthree"']);
  expect(keysOf('\x1b[200~on', 'e\ra', '\x1b[20', '1~x')).toEqual(['paste "one\\na"', 'text "x"']);
});

test('an unmarked paste presses no keys', () => {
  expect(keysOf('one\rtwo\r')).toEqual(['paste "one\\ntwo\\n"']);
  expect(keysOf('a\nd\nq')).toEqual(['paste "a\\nd\\nq"']);
});
