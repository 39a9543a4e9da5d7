import { expect, test } from 'vitest';
import { forTerminal, shownLength, styled } from './style.ts';

const FOREIGN = '\x1b[31mred\x1b[39m';

// Sequential: the mark that tells our own sequences from foreign ones is created with the first of them.
test('foreign sequences never reach a terminal, before or after ours do', () => {
  const shown = forTerminal(FOREIGN);
  expect(shown).not.toContain('\x1b');
  expect(shownLength('plain')).toBe(5);
  const ours = styled(1, 'bold', 22);
  expect(forTerminal(ours)).toBe('\x1b[1mbold\x1b[22m');
  expect(shownLength(ours)).toBe(4);
  expect(forTerminal(ours + FOREIGN)).toBe(`\x1b[1mbold\x1b[22m${shown}`);
});
