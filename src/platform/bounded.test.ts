import { expect, test } from 'vitest';
import { BoundedMap, BoundedSet, LazyMap, remember, rememberPer, rememberText } from './bounded.ts';

test('beyond its size a map drops the oldest entries', () => {
  const map = new BoundedMap<string, number>(3);
  map.set('a', 1).set('b', 2).set('c', 3).set('a', 4).set('d', 5);
  expect([...map]).toEqual([
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ]);
});

test('beyond its size a set drops the oldest values', () => {
  const set = new BoundedSet<string>(2);
  set.add('a').add('b').add('a').add('c');
  expect([...set]).toEqual(['a', 'c']);
});

test('a large map makes room for several at once, and never drops all', () => {
  const map = new BoundedMap<number, number>(640);
  const sizes = new Set<number>();
  for (let at = 0; at < 5_000; at++) sizes.add(map.set(at, at).size);
  expect(Math.max(...sizes)).toBe(640);
  expect([...map.keys()]).toContain(4_999 - 600);
  expect(map.has(0)).toBe(false);
});

test('computes an answer once while it is cached', () => {
  const asked: string[] = [];
  const find = remember((key: string) => {
    asked.push(key);
    return key === 'none' ? null : key.length;
  }, 2);
  expect([find('one'), find('one'), find('none'), find('none')]).toEqual([3, 3, null, null]);
  expect(find('three')).toBe(5);
  expect(find('one')).toBe(3);
  expect(asked).toEqual(['one', 'none', 'three', 'one']);
});

test('computes an answer about an object once per object', () => {
  const asked: object[] = [];
  const find = rememberPer((key: { readonly size: number }) => {
    asked.push(key);
    return key.size === 0 ? null : key.size;
  });
  const [empty, full] = [{ size: 0 }, { size: 2 }];
  expect([find(empty), find(full), find(empty), find(full)]).toEqual([null, 2, null, 2]);
  expect(asked).toEqual([empty, full]);
});

test('caches the answer for a text, but not for a very long one', () => {
  const asked: number[] = [];
  const lengthOf = rememberText((text) => {
    asked.push(text.length);
    return text.length;
  }, 2);
  const long = 'x'.repeat(10_001);
  expect(['a', 'a', long, long].map(lengthOf)).toEqual([1, 1, 10_001, 10_001]);
  expect(asked).toEqual([1, 10_001, 10_001]);
});

test('a lazy map contains what was set, and a copy is independent', () => {
  const map = new LazyMap<string, number>();
  expect([map.size, map.get('a'), map.has('a'), map.delete('a'), ...map]).toEqual([
    0,
    undefined,
    false,
    false,
  ]);
  map.set('a', 1);
  const copy = new LazyMap(map);
  copy.set('b', 2);
  copy.delete('a');
  expect([...map]).toEqual([['a', 1]]);
  expect([...copy.keys(), ...copy.values(), copy.size]).toEqual(['b', 2, 1]);
});
