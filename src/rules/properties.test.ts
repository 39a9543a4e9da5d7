import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stronger } from '../model/merge.ts';
import type { Decision } from '../model/responses.ts';
import { openPack } from './pack.ts';
import { indexRules } from './rule-index.ts';
import { DEFAULT_PACKS } from './rule-set.ts';
import { EXAMPLE_PLACES } from './rule-tests.ts';
import { factsOf, session, shellCall } from './testing.ts';

const rules = Object.entries(DEFAULT_PACKS)
  .filter(([, mode]) => mode === 'on')
  .flatMap(([name]) => openPack(name, false, EXAMPLE_PLACES).rules());
const index = indexRules(rules);

function decide(command: string): Decision {
  const facts = factsOf(shellCall(command));
  return index
    .candidates(facts)
    .filter((rule) => rule.on.has('before_tool') && !rule.afterRefusal && rule.limit === null)
    .filter((rule) => rule.test(facts))
    .map(({ response }) => response.decision)
    .reduce(stronger, 'none');
}

const RANK: Readonly<Record<Decision, number>> = { allow: 0, none: 0, ask: 1, deny: 2 };

/** Examples that are one command, so that words can be added to them. */
const PLAIN = /^[\w@%+=:,./~ -]+$/;
const stopped = rules
  .filter(({ response }) => response.decision === 'ask' || response.decision === 'deny')
  .flatMap(({ tests }) => tests.match)
  .filter((example) => typeof example === 'string')
  .filter((example) => PLAIN.test(example) && decide(example) !== 'none');

type Change = (line: string) => string;

/** Each adds something to a line that nobody can know before it runs, and leaves the command itself as it is. */
const AROUND: readonly Change[] = [
  (line) => `ZZ="$YY" ${line}`,
  (line) => `ZZ=$(zz); ${line}`,
  (line) => `$ZZ; ${line}`,
  (line) => `${line}; $ZZ`,
  (line) => `${line} && $ZZ`,
  (line) => `${line} | $ZZ`,
  (line) => `if $ZZ; then ${line}; fi`,
  (line) => `while read x; do ${line}; done < "$ZZ"`,
  (line) => `for x in $ZZ; do ${line}; done`,
  (line) => `( ${line} ) 2>"$ZZ"`,
  (line) => `zz() { ${line}; }; zz "$ZZ"`,
  (line) => `echo "$ZZ" | { ${line}; }`,
];

const UNKNOWNS: readonly Change[] = [
  ...AROUND,
  (line) => `${line} "$ZZ"`,
  (line) => `${line} $ZZ`,
  (line) => `${line} --zz="$ZZ"`,
  (line) => `${line} "$(zz)"`,
];

describe('what is not known never helps', () => {
  test('there are examples enough', () => {
    expect(stopped.length).toBeGreaterThan(150);
  });

  test.each(UNKNOWNS.map((change) => [change('rm x'), change] as const))(
    'a decision is not weakened by %s',
    (_, change) => {
      const weaker = stopped.filter((line) => RANK[decide(change(line))] < Math.min(RANK[decide(line)], 1));
      expect(weaker.map(change)).toEqual([]);
    },
  );

  test.each(AROUND.map((change) => [change('rm x'), change] as const))(
    'a denial stays a denial in %s',
    (_, change) => {
      const weaker = stopped.filter((line) => RANK[decide(change(line))] < RANK[decide(line)]);
      expect(weaker.map(change)).toEqual([]);
    },
  );

  test('nor by several of them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...stopped),
        fc.array(fc.constantFrom(...AROUND), { minLength: 2, maxLength: 4 }),
        (line, changes) => {
          const changed = changes.reduce((text, change) => change(text), line);
          expect(RANK[decide(changed)], changed).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('an allow is for what was meant and nothing more', () => {
  const allowed = ['npm test', 'git status', 'cat README.md', 'ls -la src'];
  const decideBy = session(
    `rules: [{command: [npm test, git status, cat README.md, ls -la src], allow: true}]`,
  );
  const isAllowed = (line: string) =>
    decideBy(shellCall(line)).some(({ response }) => response.decision === 'allow');

  const WIDENED: readonly ((line: string, word: string) => string)[] = [
    (line, word) => `${line}; ${word}`,
    (line, word) => `${line} | ${word}`,
    (line, word) => `${line} && ${word}`,
    (line, word) => `${line} & ${word}`,
    (line, word) => `${line} > ${word}`,
    (line, word) => `${line} >> ${word}`,
    (line, word) => `${line} $(${word})`,
    (line, word) => `${line} \`${word}\``,
    (line, word) => `${line} "$${word}"`,
    (line, word) => `${line} <(${word})`,
    (line, word) => `${line}\n${word}`,
    (line, word) => `A=${word} ${line}`,
    (line, word) => `A=${word}; ${line}`,
    (line, word) => `export A=${word}; ${line}`,
    (line, word) => `sudo -u ${word} ${line}`,
  ];

  test('whatever is added ends it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allowed),
        fc.constantFrom(...WIDENED),
        fc.stringMatching(/^[a-z]{2,8}$/),
        (line, widen, word) => {
          expect(isAllowed(line)).toBe(true);
          expect(isAllowed(widen(line, word)), widen(line, word)).toBe(false);
        },
      ),
    );
  });
});
