import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf, session, shellCall } from '../../test/support/rules/rules.ts';
import { stronger } from '../model/merge.ts';
import type { Decision } from '../model/responses.ts';
import { openPack } from './pack.ts';
import { EXAMPLE_PLACES } from './places/example.ts';
import { indexRules } from './rule-index.ts';
import { DEFAULT_PACKS } from './rule-set.ts';

const rules = Object.entries(DEFAULT_PACKS)
  .filter(([, mode]) => mode === 'on')
  .flatMap(([name]) => openPack(name, false, EXAMPLE_PLACES).rules());
const index = indexRules(rules);

const decided = new Map<string, Decision>();

/** Compares each variation with the example itself, which is decided once. */
function decide(command: string): Decision {
  const decision = decided.get(command) ?? decideNow(command);
  decided.set(command, decision);
  return decision;
}

function decideNow(command: string): Decision {
  const facts = factsOf(shellCall(command));
  return index
    .candidates(facts)
    .filter((rule) => rule.on.has('before_tool') && !rule.afterRefusal && rule.limit === null)
    .filter((rule) => rule.test(facts))
    .map(({ response }) => response.decision)
    .reduce(stronger, 'none');
}

const RANK: Readonly<Record<Decision, number>> = { allow: 0, none: 0, ask: 1, deny: 2 };

/** Examples with a single command, to which words can be added. */
const PLAIN = /^[\w@%+=:,./~ -]+$/;
const stopped = rules
  .filter(({ response }) => response.decision === 'ask' || response.decision === 'deny')
  .flatMap(({ examples }) => examples().match)
  .filter((example) => typeof example === 'string')
  .filter((example) => PLAIN.test(example) && decide(example) !== 'none');

type Change = (line: string) => string;

/** Each adds something unpredictable to a line and leaves the command itself unchanged. */
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

describe('unknown parts never weaken a decision', () => {
  test('has enough examples', () => {
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

describe('the effect counts, not the wording', () => {
  const WRAPPERS: readonly Change[] = [
    (line) => `sudo ${line}`,
    (line) => `doas ${line}`,
    (line) => `env A=1 ${line}`,
    (line) => `timeout 5 ${line}`,
    (line) => `nohup ${line} &`,
    (line) => `sh -c '${line}'`,
    (line) => `sudo bash -c '${line}'`,
    (line) => `su -c '${line}'`,
    (line) => `eval '${line}'`,
    (line) => `( ${line} )`,
  ];
  /** Builtins of the shell, which no other program can run. */
  const OWN_WORDS = /^(?:export|unset|history|exec|eval|source|\.|!|\w+=\S*) ?/;
  const commands = stopped.filter((line) => !OWN_WORDS.test(line));

  test.each(WRAPPERS.map((change) => [change('rm x'), change] as const))(
    'the decision is at least as strict in %s',
    (_, change) => {
      const weaker = commands.filter((line) => RANK[decide(change(line))] < RANK[decide(line)]);
      expect(weaker.map(change)).toEqual([]);
    },
  );

  const roots = fc.constantFrom(
    '.',
    'src',
    '~',
    '/',
    '/etc',
    '/srv/data',
    '/tmp/x',
    '"$D"',
    '~/.ssh',
    'dist',
  );
  const filters = fc.constantFrom(
    ...['-mtime +7', '-size +1M', '! -name x', '-type f', '-type d', '-user dev', "-name '*.ts'", '-empty'],
    ...['-name notes.txt', "-path '*/a/*'", '-perm 644', '-newer x', '-nouser', '-maxdepth 2', '-name "$N"'],
  );
  const actions = fc.constantFrom(
    ...['-delete', '-exec rm {} \\;', '-exec rm -f {} +', '-exec rm -rf {} +', '-exec cat {} +'],
    ...[
      '-exec chmod 644 {} +',
      '-exec chown dev {} +',
      '-exec sed -i s/a/b/ {} +',
      '-print0 | xargs -0 rm -f',
    ],
    ...['-print0 | xargs -0 rm -rf', '-print0 | xargs -0 cat', '-exec cp {} /tmp/y \\;', '-exec touch {} +'],
  );

  test('another test never adds to what a search does', () => {
    fc.assert(
      fc.property(
        roots,
        fc.uniqueArray(filters, { maxLength: 2 }),
        filters,
        actions,
        (root, some, one, action) => {
          const wide = `find ${root} ${some.join(' ')} ${action}`;
          const narrow = `find ${root} ${[...some, one].join(' ')} ${action}`;
          expect(RANK[decide(narrow)], `${narrow} against ${wide}`).toBeLessThanOrEqual(RANK[decide(wide)]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('a quoted pattern does no more than an unquoted one', () => {
    const patterns = fc.constantFrom(
      '*',
      '.*',
      '~/.ssh/*',
      '/etc/*',
      '.e*',
      'src/*.ts',
      '*.pem',
      '/*',
      '.[a-z]*',
    );
    const programs = fc.constantFrom(
      'cat',
      'rm',
      'rm -rf',
      'cp -t /tmp/x',
      'chmod 777',
      'tar cf x.tar',
      'touch',
      'shred',
    );
    fc.assert(
      fc.property(programs, patterns, (program, pattern) => {
        const quoted = `${program} '${pattern}'`;
        expect(RANK[decide(quoted)], quoted).toBeLessThanOrEqual(RANK[decide(`${program} ${pattern}`)]);
      }),
    );
  });
});

describe('an allow covers only what was meant', () => {
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

  test('any addition ends it', () => {
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
