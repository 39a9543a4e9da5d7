import { expect, test } from 'vitest';
import { foldersUpward, LONGEST_PATH } from './long-path.ts';

test('lists the directory itself and all its parents', () => {
  expect([...foldersUpward('/a/b/c')]).toEqual(['/a/b/c', '/a/b', '/a', '/']);
  expect([...foldersUpward('/')]).toEqual(['/']);
});

test("for a path too deep for the system, lists only the parents that aren't", () => {
  const name = 'x'.repeat(LONGEST_PATH / 4);
  const above = [`/${name}/${name}/${name}`, `/${name}/${name}`, `/${name}`, '/'];
  expect([...foldersUpward(`/${name}/${name}/${name}/${name}/${name}`)]).toEqual(above);
  expect([...foldersUpward(`/${'x'.repeat(2 * LONGEST_PATH)}`)]).toEqual(['/']);
});
