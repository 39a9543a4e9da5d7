import { expect, test } from 'vitest';
import { linesWritten } from './kinds.ts';
import { marksOf } from './marks.ts';

const marksIn = (path: string, text: string) =>
  marksOf({ path, given: { path, text, isPart: false, before: null }, whole: () => null });

test('a page that runs what a visitor sends is seen with any space in it', () => {
  const gap = ' '.repeat(200);
  expect(marksIn('a.jsp', `r.exec${gap}(\n${gap}request${gap}.getParameter("c"))`)).toEqual(['web-shell']);
  expect(marksIn('a.php', `<?php eval${gap}(${gap}$_POST['c']);`)).toEqual(['web-shell']);
});

test('texts that are made to be tried at each of their signs are read to their end', () => {
  expect(marksIn('a.jsp', `.exec${' '.repeat(60_000)}`)).toEqual([]);
  expect(marksIn('a.php', `eval(${' '.repeat(60_000)}`)).toEqual([]);
  expect(linesWritten('binding.gyp', `{"a": "${'<!('.repeat(20_000)}"}`, false)).toEqual([]);
});

test('what a build is set up with', () => {
  expect(linesWritten('binding.gyp', '{"a": ["<!(node -p \'f(1)\')", "b"]}', false)).toEqual([
    { text: "node -p 'f(1)'", runs: 'alone' },
  ]);
});

test('where Maven looks for packages', () => {
  const pom = (url: string) =>
    `<project><url>http://example.org</url><repositories><repository><id>x</id><url>${url}</url></repository></repositories></project>`;
  expect(marksIn('pom.xml', pom('http://maven.example.net/m2'))).toEqual(['registry']);
  expect(marksIn('pom.xml', pom('https://maven.google.com'))).toEqual([]);
});
