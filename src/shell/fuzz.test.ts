// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { look } from '../../test/support/shell/shell.ts';
import { analyse } from './analyse.ts';

const FRAGMENTS = [
  ...[
    'rm',
    '-rf',
    '/',
    '~',
    'git',
    'push',
    '--force',
    'sudo',
    'env',
    'xargs',
    'find',
    '-exec',
    '{}',
    ';',
    '\\;',
    '+',
    'sh',
    '-c',
    'eval',
  ],
  ...[
    '$(',
    ')',
    '`',
    '${',
    '}',
    '"',
    "'",
    "$'",
    '\\',
    '<<EOF',
    '\nEOF\n',
    '<<<',
    '<(',
    '>(',
    '>',
    '>>',
    '2>&1',
    '|',
    '||',
    '&&',
    '&',
    '\n',
  ],
  ...[
    '((',
    '))',
    '$((',
    '[[',
    ']]',
    '{',
    '{a,b}',
    '{1..9}',
    '*',
    '?',
    '[a]',
    '!',
    '#',
    '=',
    'X=1',
    '$X',
    '${X:-y}',
    '${X//a/b}',
    '$@',
  ],
  ...[
    'if',
    'then',
    'else',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'case',
    'esac',
    'a)',
    ';;',
    'function',
    'f()',
    'select',
    'coproc',
    'time',
  ],
  ...[
    'python3',
    '-c',
    "shutil.rmtree('/x')",
    'awk',
    '{system("ls")}',
    'curl',
    'https://a.example',
    'base64',
    '-d',
    'psql',
    'DROP TABLE x',
    'ssh',
  ],
  ...[
    'docker',
    'run',
    'parallel',
    ':::',
    'trap',
    'EXIT',
    'source',
    'Remove-Item',
    ' ',
    '  ',
    '\t',
    '\r',
    '\u00a0',
    '😀',
    '\0',
    '\uE000',
  ],
];

const soup: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
    ),
    { maxLength: 40 },
  )
  .chain((parts) => fc.constantFrom(parts.join(' '), parts.join('')));

describe('for any input', () => {
  test('answers deterministically and keeps its invariants', () => {
    fc.assert(
      fc.property(soup, (command) => {
        const first = look(command);
        expect(look(command)).toEqual(first);
        expect(first.why).not.toContain('unanalysable: the analysis broke');
        if (first.coverage === 'complete') expect(first.why).toEqual([]);
        else expect(first.why).not.toEqual([]);
        for (const effect of first.effects) expect(first.commands[effect.command]).toBeDefined();
        for (const found of first.commands) {
          expect(found.argv.length).toBeGreaterThan(0);
          expect(found.span.start).toBeGreaterThanOrEqual(0);
          expect(found.span.end).toBeLessThanOrEqual(command.length);
          if (found.name === null) expect(first.coverage).not.toBe('complete');
          for (const word of found.argv) expect(word.text === null).toBe(word.dynamic);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (command) => {
        expect(analyse(command).why).not.toContain('unanalysable: the analysis broke');
      }),
      { numRuns: 1500 },
    );
  });

  test('wrapping a command in a shell keeps its deletions', () => {
    const path = fc.stringMatching(/^\/[a-z]{1,8}$/);
    const wrap = fc.constantFrom(
      (line: string) => `sh -c '${line.replaceAll("'", "'\\''")}'`,
      (line: string) => `sudo ${line}`,
      (line: string) => `eval "${line.replace(/["\\$`]/g, '\\$&')}"`,
      (line: string) => `bash <<'END${line.length}'\n${line}\nEND${line.length}`,
      (line: string) => `( ${line}\n)`,
      (line: string) => `x=$( ${line}\n)`,
      (line: string) => `if true; then ${line}\nfi`,
      (line: string) => `env A=1 timeout 5 ${line}`,
    );
    fc.assert(
      fc.property(path, fc.array(wrap, { maxLength: 3 }), (target, wraps) => {
        // A wrapper program takes one simple command, so wrapper programs come first, around the plain rm.
        const ordered = [...wraps].sort(
          (a, b) => Number(b('x').endsWith(' x')) - Number(a('x').endsWith(' x')),
        );
        const command = ordered.reduce((line, around) => around(line), `rm -rf ${target}`);
        const found = look(command).effects.some(
          (effect) => effect.kind === 'delete' && effect.path === target,
        );
        expect(found, command).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('costly text', () => {
  const many = (text: string, length = 100_000): string => text.repeat(Math.floor(length / text.length));

  test.each([
    ['parentheses', many('(')],
    ['substitutions', many('$(')],
    ['substitutions in quotes', many('"$(')],
    ['backticks', many('`', 99_999)],
    ['defaults in defaults', many('${a:-')],
    ['arithmetic', many('$((')],
    ['groups', many('{ ')],
    ['conditions', many('if ')],
    ['cases', many('case a in a) ')],
    ['functions', many('f(){ ')],
    ['here-documents', many('<<a ')],
    ['open here-documents', many('cat <<E\n')],
    ['commands in a here-document', `cat <<E\n${many('$(a) ')}\nE`],
    ['statements', many('rm x;')],
    ['pipes', many('a|')],
    ['loops in loops', `${'for i in a b c d e f; do '.repeat(60)}ls${'; done'.repeat(60)}`],
    ['evals', `${'eval '.repeat(5000)}ls`],
    ['quotes that never close', `echo "${many('$(a ')}`],
    [
      'functions that double',
      `${Array.from({ length: 24 }, (_, i) => `f${i}(){ f${i + 1};f${i + 1}; };`).join('')}f0`,
    ],
    ['a thousand redirections', `ls ${many('>a ')}`],
    ['words', `rm ${many('a ')}`],
  ])('%s are rejected or cut off in time', (_, command) => {
    const { coverage, why } = look(command);
    expect(coverage).toBe('over-budget');
    expect(why.join()).toContain('unanalysable');
  });

  test.each([
    [
      'a long file in a here-document',
      `cat > f.ts <<'EOF'\n${many('const a = foo(b); // <<x "y" $(z)\n', 90_000)}EOF`,
    ],
    ['a long quoted argument', `curl -d '${many('{"a":1},', 60_000)}' https://a.example`],
    ['a long word', `echo ${many('a')}`],
    ['a long comment', `# ${many("it's ", 50_000)}\nls`],
  ])('%s is not an attack', (_, command) => {
    expect(look(command).coverage).toBe('complete');
  });
});
