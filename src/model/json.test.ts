import { expect, test } from 'vitest';
import { textsInJson } from './json.ts';

test('yields JSON values in order, at any depth and length', () => {
  expect([...textsInJson('{"a":"one","b":[{"c":"two"},3,null,"three"]}')]).toEqual(['one', 'two', 'three']);
  expect([...textsInJson('no JSON')]).toEqual([]);
  expect([...textsInJson('null')]).toEqual([]);
  expect([...textsInJson(`${'['.repeat(5_000)}"deep"${']'.repeat(5_000)}`)]).toEqual(['deep']);
  expect([...textsInJson(JSON.stringify(Array(300_000).fill('x')))]).toHaveLength(300_000);
});
