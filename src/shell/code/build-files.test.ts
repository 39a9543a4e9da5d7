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

test('stops at targets that depend on each other', () => {
  expect(recipesOf('a: b\n\t1\nb: a\n\t2\n', [])).toBe('1\n2');
});

test('a value computed by make is a command or unknown', () => {
  expect(recipesOf('a:\n\tx $(shell id) $(wildcard *.c) $(NONE)\n', [])).toBe(
    `x "$(id)" ${UNKNOWN} ${UNKNOWN}`,
  );
});

test('a package script includes its pre and post scripts', () => {
  const manifest = '{"scripts": {"test": "b", "pretest": "a", "posttest": "c", "other": "d", "odd": 1}}';
  expect(packageScripts(manifest, 'test')).toBe('a\nb\nc');
  expect(packageScripts(manifest, 'odd')).toBe('');
  expect(packageScripts('{"scripts": 1}', 'test')).toBe('');
  expect(packageScripts('no JSON', 'test')).toBe('');
});
