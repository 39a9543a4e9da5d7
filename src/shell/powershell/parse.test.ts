// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of PowerShell.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { parsePowerShell } from './parse.ts';

const PIECES = [
  ...['Get-Item', 'rm', 'iex', '&', '.', '|', '||', '&&', ';', '\n', ' ', '`', '`\n', '#', '<#', '#>', ','],
  ...['$', '$x', '${', '$(', '@(', '@{', "@'\n", "\n'@", '@"\n', '(', ')', '{', '}', '[', ']', '[int]', '::'],
  ...['"', "'", '=', '+=', '-eq', '-f', '..', '++', '?', ':', '-', '--%', '>', '2>&1', '*>', '%', '\\', '~'],
  ...['if', 'else', 'foreach', 'in', 'switch', 'try', 'catch', 'function', 'param', 'return', 'do', 'while'],
  ...['.Delete()', '[0]', '1', '1kb', '-Recurse', '@x', 'C:\\x', '\u2013Force', '\u201c', '\u2019'],
];

test('always answers, and no permission covers the answer', () => {
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, (text) => {
      const { coverage, why } = analyse(text, { cwd: '/w', home: '/h', shell: 'powershell' });
      expect(coverage).not.toBe('complete');
      expect(why).not.toContain('unanalysable: the analysis broke');
    }),
    { numRuns: 2_000 },
  );
});

test.each(['Get-Item (', '{', "@'\nx", '"$(', 'a | | b', '[int', '$x = ', '@{ a }', 'if (1) 2', 'a | 5'])(
  'rejects text that PowerShell rejects: %j',
  (text) => {
    expect(parsePowerShell(text)).toBeNull();
  },
);

test('typographic quotes and dashes equal the plain ones', () => {
  expect(parsePowerShell('rm \u2013Recurse \u201cx y\u201d')).toEqual(parsePowerShell('rm -Recurse "x y"'));
});

test.each(['('.repeat(500), `$a${'.b'.repeat(20_000)}`, 'a,'.repeat(20_000), '@{a='.repeat(500)])(
  'a text made to slow down the parser is rejected',
  (text) => {
    expect(parsePowerShell(text)).toBeNull();
  },
);
