import { expect, test } from 'vitest';
import { linesWritten } from './kinds.ts';
import { marksOf } from './marks.ts';

const marksIn = (path: string, text: string) =>
  marksOf({ path, given: { path, text, isPart: false, before: null }, whole: () => null });

test('finds a page that runs visitor input, with any spacing', () => {
  const gap = ' '.repeat(200);
  expect(marksIn('a.jsp', `r.exec${gap}(\n${gap}request${gap}.getParameter("c"))`)).toEqual(['web-shell']);
  expect(marksIn('a.php', `<?php eval${gap}(${gap}$_POST['c']);`)).toEqual(['web-shell']);
});

test('reads texts that are costly for patterns completely', () => {
  expect(marksIn('a.jsp', `.exec${' '.repeat(60_000)}`)).toEqual([]);
  expect(marksIn('a.php', `eval(${' '.repeat(60_000)}`)).toEqual([]);
  expect(linesWritten('binding.gyp', `{"a": "${'<!('.repeat(20_000)}"}`, false)).toEqual([]);
});

test('build configuration', () => {
  expect(linesWritten('binding.gyp', '{"a": ["<!(node -p \'f(1)\')", "b"]}', false)).toEqual([
    { text: "node -p 'f(1)'", runs: 'alone' },
  ]);
});

test('repositories for Maven', () => {
  const pom = (url: string) =>
    `<project><url>http://example.org</url><repositories><repository><id>x</id><url>${url}</url></repository></repositories></project>`;
  expect(marksIn('pom.xml', pom('http://maven.example.net/m2'))).toEqual(['registry']);
  expect(marksIn('pom.xml', pom('https://maven.google.com'))).toEqual([]);
});
