import { expect, test } from 'vitest';
import { UNKNOWN } from '../analysis.ts';
import { packageScripts, recipesOf } from './build-files.ts';

const MAKEFILE = `
OUT ?= build
FLAGS := -v $(EXTRA)

.PHONY: all test
all: lint test
\t@echo $(OUT)

test: ; npm test
lint deep: $(OUT)/x
\t-eslint \\
\t  src $@
clean:
\trm -rf \${OUT} $$HOME
`;

test.each([
  [[], `echo build\neslint  \t  src ${UNKNOWN}\nnpm test`],
  [['test'], 'npm test'],
  [['clean'], 'rm -rf build $HOME'],
  [['test', 'clean'], 'npm test\nrm -rf build $HOME'],
  [['nothing'], ''],
])('make %j', (goals, lines) => {
  expect(recipesOf(MAKEFILE, goals)).toBe(lines);
});

test('targets that need each other come to an end', () => {
  expect(recipesOf('a: b\n\t1\nb: a\n\t2\n', [])).toBe('1\n2');
});

test('what make computes is a command, or not known', () => {
  expect(recipesOf('a:\n\tx $(shell id) $(wildcard *.c) $(NONE)\n', [])).toBe(
    `x "$(id)" ${UNKNOWN} ${UNKNOWN}`,
  );
});

test('a script of a package, with those around it', () => {
  const manifest = '{"scripts": {"test": "b", "pretest": "a", "posttest": "c", "other": "d", "odd": 1}}';
  expect(packageScripts(manifest, 'test')).toBe('a\nb\nc');
  expect(packageScripts(manifest, 'odd')).toBe('');
  expect(packageScripts('{"scripts": 1}', 'test')).toBe('');
  expect(packageScripts('no JSON', 'test')).toBe('');
});
