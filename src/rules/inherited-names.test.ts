import { describe, expect, test } from 'vitest';
import { matches } from '../../test/support/rules/rules.ts';
import { programNames } from '../knowledge/load.ts';
import { toolKind } from '../model/tools.ts';
import { analyse } from '../shell/analyse.ts';

/** Every object inherits these, so a lookup table seems to contain them. */
const INHERITED = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'];

const PROGRAMS = programNames();

const SHAPES: readonly ((program: string, word: string) => string)[] = [
  (program, word) => `${program} ${word}`,
  (program, word) => `${program} ${word} ${word} x`,
  (program, word) => `${program} --${word} x`,
  (program, word) => `${program} --${word}=x -${word}`,
  (program, word) => `${program} install ${word}`,
  (_, word) => `${word} -x y`,
  (_, word) => `export ${word}; echo "$${word}" \${${word}:-x} %${word}% $env:${word}`,
  (_, word) => `${word}=1 make; cat a[[:${word}:]b]`,
  (program, word) => `tr '[:${word}:]' x | ${program} ${word}`,
];

describe.each(INHERITED)('%s is an ordinary word', (word) => {
  test('for every program, and the words after it are seen', () => {
    for (const program of PROGRAMS)
      for (const shape of SHAPES) {
        const line = shape(program, word);
        expect(analyse(line).why.join(), line).not.toContain('the analysis broke');
      }
    expect(matches('deletes: ~/**', `git ${word}; rm -rf ~`)).toBe(true);
    expect(matches('deletes: ~/**', `npm ${word}; rm -rf ~`)).toBe(true);
  });

  test('as a tool name', () => expect(toolKind(word, null)).toBe('other'));

  test('in a rule', () => {
    expect(matches(`command: git ${word}`, `git ${word}`)).toBe(true);
    expect(matches(`command: ${word} --${word}`, `${word} --${word}`)).toBe(true);
    expect(matches(`reads: "**/.env"`, `cat .[[:${word}:]e]nv`)).toBe(true);
  });
});
