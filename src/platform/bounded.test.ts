import { expect, test } from 'vitest';
import { BoundedMap, BoundedSet, remember, rememberPer } from './bounded.ts';

test('beyond its size a map loses what was set longest ago', () => {
  const map = new BoundedMap<string, number>(3);
  map.set('a', 1).set('b', 2).set('c', 3).set('a', 4).set('d', 5);
  expect([...map]).toEqual([
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ]);
});

test('beyond its size a set loses what was added longest ago', () => {
  const set = new BoundedSet<string>(2);
  set.add('a').add('b').add('a').add('c');
  expect([...set]).toEqual(['a', 'c']);
});

test('a large map makes room for several at once, and never for all', () => {
  const map = new BoundedMap<number, number>(640);
  const sizes = new Set<number>();
  for (let at = 0; at < 5_000; at++) sizes.add(map.set(at, at).size);
  expect(Math.max(...sizes)).toBe(640);
  expect([...map.keys()]).toContain(4_999 - 600);
  expect(map.has(0)).toBe(false);
});

test('an answer is worked out once while it is remembered', () => {
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

test('an answer about an object is worked out once for that object', () => {
  const asked: object[] = [];
  const find = rememberPer((key: { readonly size: number }) => {
    asked.push(key);
    return key.size === 0 ? null : key.size;
  });
  const [empty, full] = [{ size: 0 }, { size: 2 }];
  expect([find(empty), find(full), find(empty), find(full)]).toEqual([null, 2, null, 2]);
  expect(asked).toEqual([empty, full]);
});
