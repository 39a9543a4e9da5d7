import { expect, test } from 'vitest';
import { linesWritten } from './kinds.ts';
import { marksOf } from './marks.ts';

test('a page that runs what a visitor sends is seen with any space in it', () => {
  const gap = ' '.repeat(200);
  expect(marksOf('a.jsp', `r.exec${gap}(\n${gap}request${gap}.getParameter("c"))`, false)).toEqual([
    'web-shell',
  ]);
  expect(marksOf('a.php', `<?php eval${gap}(${gap}$_POST['c']);`, false)).toEqual(['web-shell']);
});

test('texts that are made to be tried at each of their signs are read to their end', () => {
  expect(marksOf('a.jsp', `.exec${' '.repeat(60_000)}`, false)).toEqual([]);
  expect(marksOf('a.php', `eval(${' '.repeat(60_000)}`, false)).toEqual([]);
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
  expect(marksOf('pom.xml', pom('http://maven.example.net/m2'), false)).toEqual(['registry']);
  expect(marksOf('pom.xml', pom('https://maven.google.com'), false)).toEqual([]);
});
