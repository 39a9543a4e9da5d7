import { describe, expect, test } from 'vitest';
import type { HookEvent } from '../../src/model/events.ts';
import { none } from '../../src/model/responses.ts';
import { parseRules } from '../../src/rules/files/load.ts';
import { createRulesHandler } from '../../src/rules/handler.ts';
import { compileGlob } from '../../src/rules/match/glob.ts';
import { meet } from '../../src/rules/match/globs.ts';
import { patternTree } from '../../src/rules/match/pattern-tree.ts';
import { spend, stepsOf } from '../../src/rules/match/steps.ts';
import { wordMatch } from '../../src/rules/match/word-match.ts';
import type { Layer } from '../../src/rules/rule.ts';
import { indexRules } from '../../src/rules/rule-index.ts';
import { createSessionMemory } from '../../src/rules/session/memory.ts';
import { plainWorld, writeCall } from '../support/rules/rules.ts';
import { prompt } from '../support/store/store.ts';

// A pattern such as `**/*a*a*a…*b` in a freshly cloned repository used to take over 8 s a call. Steps are
// counted here, not time: a matcher that tries every star again takes exponentially many.

type Compile = (pattern: string) => (text: string) => boolean;

const STARS = '*a'.repeat(20);

/** How many steps it takes to see that a text of so many signs does not match. */
function cost(compile: Compile, pattern: string, signs: number): number {
  const test = compile(pattern);
  return stepsOf(() => expect(test(`${'a'.repeat(signs)}c`)).toBe(false));
}

/** At most the product of the lengths, for a text of any length. */
function isLinear(compile: Compile, pattern: string): boolean {
  return [20, 200, 2_000].every((signs) => cost(compile, pattern, signs) <= (signs + 2) * pattern.length);
}

/** The former matcher: retries every star after a mismatch. */
const backtracking: Compile = (pattern) => {
  const from = (at: number, text: string): boolean => {
    spend(1);
    if (at === pattern.length) return text === '';
    if (pattern[at] !== '*') return pattern[at] === text[0] && from(at + 1, text.slice(1));
    for (let taken = 0; taken <= text.length; taken += 1) if (from(at + 1, text.slice(taken))) return true;
    return false;
  };
  return (text) => from(0, text);
};

describe('patterns with many stars', () => {
  test.each<[what: string, compile: Compile, pattern: string]>([
    ['in a path', compileGlob, `**/${STARS}*b`],
    ['below many folders', compileGlob, `**/${'*a*a/**/'.repeat(10)}${STARS}b`],
    ['in a host', wordMatch, `${STARS}*b`],
    ['with classes', compileGlob, `**/${'*[ab]'.repeat(20)}b`],
    ['with long parts', wordMatch, `${`*${'a'.repeat(40)}`.repeat(5)}*b`],
  ])('%s cost at most the product of the lengths', (_, compile, pattern) => {
    expect(isLinear(compile, pattern)).toBe(true);
  });

  test('the same measure detects a backtracking matcher', () => {
    // With a star at its end, so that the end of the text does not settle it.
    const pattern = '*a*a*a*b*';
    expect(cost(backtracking, pattern, 40)).toBeGreaterThan(42 * pattern.length);
    const growth = (compile: Compile) => cost(compile, pattern, 40) / cost(compile, pattern, 20);
    expect(growth(backtracking)).toBeGreaterThan(8);
    expect(growth(wordMatch)).toBeLessThan(2.5);
  });

  test('compares directories of a command line with each part of a pattern once', () => {
    const pattern = `${'**/a/'.repeat(12)}b`.split('/');
    const given = (folders: readonly string[]) => ({
      segments: folders,
      glob: true,
      below: false,
      sifted: false,
    });
    const steps = (folders: readonly string[]) =>
      stepsOf(() => expect(meet(given(folders), patternTree([pattern]))).toBe(null));
    expect(steps(Array(100).fill('a'))).toBeLessThanOrEqual(101 * (pattern.length + 1));
    expect(() => meet(given(Array(2_000).fill('a')), patternTree([pattern]))).not.toThrow();
  });
});

test('a path deeper than any directory disables no rule', () => {
  const given = { segments: Array(50_000).fill('a'), glob: true, below: true, sifted: false };
  expect(meet(given, patternTree([['**', 'a', '**', 'b']]))).toBe('possible');
});

test.each([
  ['longer than anyone writes', `host: "${'*a'.repeat(2_000)}"`, 'longer than'],
  ['with alternatives that multiply', `writes: "${'{a,b}'.repeat(40)}"`, 'alternatives'],
  ['with alternatives in an exception', `unless: {host: "${'{a,b}'.repeat(40)}"}`, 'alternatives'],
  ['with groups', 'writes: "+(a|aa|aaa)b"', 'parentheses'],
])('reports a pattern %s as a problem of its rule', (_, condition, message) => {
  const { rules, problems } = parseRules(`rules: [{deny: no, ${condition}}, {id: good, deny: no}]`, 'x.yaml');
  expect(problems).toMatchObject([{ message: expect.stringContaining(message) }]);
  expect(rules.map(({ id }) => id)).toEqual(['good']);
});

function decide(event: HookEvent, sources: Partial<Record<Layer, string>>) {
  const rules = Object.entries(sources).flatMap(([layer, text]) => {
    const origin = { layer: layer === 'user' ? 'user' : 'project', pack: null, observing: false } as const;
    return parseRules(text, `${layer}.yaml`, origin).rules;
  });
  const handler = createRulesHandler({
    rulesFor: () => ({ index: indexRules(rules), problems: [] }),
    world: plainWorld,
    memory: createSessionMemory(),
    failed: () => none(),
    limits: { projectSteps: 10_000, expressionMs: 50 },
  });
  const opinions = handler.decide(event);
  if (opinions instanceof Promise) throw new Error('rules answer at once');
  return opinions.map(({ by, kind, response: { decision } }) => ({ by, kind, decision }));
}

describe('cost limits of rules', () => {
  const LONG = `/home/dev/${'a'.repeat(3_000)}`;
  const slow = (id: string) => `rules: [{id: ${id}, deny: no, writes: "/home/dev/*${'[a]'.repeat(50)}b*"}]`;

  test('the rules of a project share a limit, and one that is too slow counts as matching', () => {
    expect(
      decide(writeCall(LONG), { project: slow('theirs'), user: 'rules: [{id: mine, deny: no}]' }),
    ).toEqual(
      expect.arrayContaining([
        { by: 'theirs', kind: 'failure', decision: 'deny' },
        { by: 'mine', kind: 'rule', decision: 'deny' },
      ]),
    );
    expect(decide(writeCall('/home/dev/short'), { project: slow('theirs') })).toEqual([]);
  });

  test('a long call does not prevent the user’s own rules', () => {
    expect(decide(writeCall(LONG), { user: slow('mine') })).toEqual([]);
    expect(decide(writeCall(`${LONG}b`), { user: slow('mine') })).toEqual([
      { by: 'mine', kind: 'rule', decision: 'deny' },
    ]);
  });

  test.each([
    ['a regular expression', 'prompt: "/^(a+)+$/i"'],
    ['an expression', 'when: event.prompt.matches("^(a+)+$")'],
  ])('ends %s that never ends, and counts it as matching', (_, condition) => {
    const event = { ...prompt(), prompt: `${'a'.repeat(60)}b` };
    const text = `rules: [{id: endless, on: turn_start, deny: no, ${condition}}]`;
    expect(decide(event, { user: text })).toEqual([{ by: 'endless', kind: 'failure', decision: 'deny' }]);
    expect(decide({ ...event, prompt: 'aab' }, { user: text })).toEqual([]);
  });
});
