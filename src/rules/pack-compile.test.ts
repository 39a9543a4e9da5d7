import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rulesInYaml } from '../../test/support/rules/packs.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { openPack, packNames } from './pack.ts';
import { compilePacks } from './pack-compile.ts';
import { PACKS_FOLDER } from './pack-data.ts';
import { EXAMPLE_PLACES } from './places/example.ts';
import type { Rule } from './rule.ts';

const fromYaml = packNames().flatMap(rulesInYaml);
const compiled = packNames().flatMap((name) => openPack(name, false, EXAMPLE_PLACES).rules());

test('compiled packs have the rules of their YAML files', () => {
  expect(compiled.map(plainPart)).toEqual(fromYaml.map(plainPart));
  expect(compiled.length).toBeGreaterThan(250);
});

/** All of a rule except functions. */
function plainPart({ test: _, mayMatch, reasonOn, examples, places, guards, written, ...plain }: Rule) {
  const texts = written.map((text) => ({ ...text, tests: undefined }));
  const globs = Object.entries(places).map(([access, patterns]) => [access, patterns.globs]);
  return {
    ...plain,
    texts,
    globs,
    guards: guards?.globs,
    isRough: mayMatch !== null,
    differs: reasonOn !== null,
    examples: examples(),
  };
}

test('the compiled form is plain JSON', () => {
  const made = compilePacks(PACKS_FOLDER, EXAMPLE_PLACES);
  expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made);
});

describe('a pack is not compiled', () => {
  const compile = (text: string) => () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'own.yaml'), text);
    return compilePacks(folder, {}).compiled;
  };

  test.each([
    ['that is not YAML', 'rules: [', 'own.yaml:1:9'],
    ['with an unknown key', 'rules: [{ id: a, dney: no }]', 'rules.0.dney'],
    ['with a rule without an ID', 'rules: [{ deny: no }]', 'own.yaml:1:9: needs an ID of its own'],
    ['with an ID twice', 'rules: [{ id: a, deny: no }, { id: a, ask: no }]', 'own.yaml:1:30: needs an ID'],
    [
      'with an expression that is none',
      'rules: [{ id: a, deny: no, when: "1 +" }]',
      'rule a has an invalid condition',
    ],
    [
      'with an old ID that is a rule',
      'rules: [{ id: a, deny: no, was: { b: {} } }, { id: b, deny: no }]',
      'rule a: was: b is a rule',
    ],
    [
      'with an old ID without its part',
      'rules: [{ id: a, act: pay, deny: no, was: { b: {}, c: { object: charge } } }]',
      'rule a: was: b needs the part',
    ],
    [
      'with a part of nothing',
      'rules: [{ id: a, act: pay, deny: no, was: { b: { object: moon } } }]',
      'rules.0.was.b.object',
    ],
    [
      'with an exception that is not a command',
      'rules: [{ id: a, deny: no, command: ls, unless: { command: "\'" } }]',
      'rule a has an invalid exception',
    ],
  ])('%s', (_, text, problem) => {
    expect(compile(text)).toThrow(problem);
  });

  test('unless it has no problems', () => {
    const { packs, commands } = compile('rules: [{ id: a, deny: no, command: git push -f }]')();
    expect(packs.own?.rules).toMatchObject([{ at: '1:9', places: [], text: { id: 'a', deny: 'no' } }]);
    expect(commands).toMatchObject({ 'git push -f': { tool: 'git', words: ['push'] } });
  });
});
