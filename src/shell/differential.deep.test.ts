// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasBash } from '../../test/programs.ts';
import { COMMANDS } from '../../test/support/shell/commands.ts';
import { parseScript } from './syntax/from-unbash.ts';

/** Asks one bash about all commands: `bash -n` for each, with one verdict per line. */
function acceptedByBash(commands: readonly string[]): boolean[] {
  // `eval` in a function would run the command; reading it from a file with -n does not.
  const script =
    'while IFS= read -r -d "" line; do if bash -n <<< "$line" 2>/dev/null; then echo 1; else echo 0; fi; done';
  const run = spawnSync('bash', ['-c', script], {
    input: commands.map((command) => `${command}\0`).join(''),
    encoding: 'utf8',
  });
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => line === '1');
}

function differences(commands: readonly string[]): string[] {
  const unique = [...new Set(commands)].filter((command) => !command.includes('\0'));
  const theirs = acceptedByBash(unique);
  expect(theirs).toHaveLength(unique.length);
  return unique.filter((command, i) => (parseScript(command).problems.length === 0) !== theirs[i]);
}

const PIECES = [
  ...[
    'ls',
    'rm -rf x',
    'echo "a b"',
    "echo 'c'",
    '$(ls)',
    '`ls`',
    'a=1',
    'a=(1 2)',
    '{ ls; }',
    '(ls)',
    'if ls; then ls; fi',
    'fi',
    'then',
  ],
  ...[
    'for i in a b; do ls; done',
    'while :; do ls; done',
    'case a in a) ls;; esac',
    'f() { ls; }',
    '[[ -f a ]]',
    '((1+1))',
    'done',
    ';;',
    'esac',
  ],
  ...[
    '! ls',
    'time ls',
    'cat <<< x',
    'cat <(ls)',
    'ls > x',
    'ls 2>&1',
    'ls &> x',
    '{a,b}',
    '${a:-b}',
    '$((1+2))',
    ')',
    '(',
    '"',
    "'",
    '}',
    '{',
  ],
];
const line: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' ', ' & ')),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) =>
    parts
      .map(([piece, joint]) => piece + joint)
      .join('')
      .replace(/[\s;&|]+$/, ''),
  );

/** We may reject what bash accepts only by accident. That errs on the safe side. */
describe.skipIf(!hasBash)('bash reads commands as we do', () => {
  test('on generated lines', () => {
    const commands = fc.sample(line, { numRuns: 600, seed: 7 });
    expect(differences(commands)).toEqual([]);
  });

  test.each(Object.entries(COMMANDS))('on real commands: %s', (_, commands) => {
    expect(differences(commands)).toEqual([]);
  });

  test('rejects the broken lines that bash rejects', () => {
    const accepted = Object.entries(COMMANDS).map(([kind, commands]) => [
      kind,
      new Set(acceptedByBash(commands)),
    ]);
    const expected = Object.keys(COMMANDS).map((kind) => [kind, new Set([kind !== 'broken'])]);
    expect(accepted).toEqual(expected);
  });
});
