import { expect, test } from 'vitest';
import { historyState, NOW, openTestScreen, request } from '../../test/support/tui.ts';

/** A title, a cleared screen, a link, a pasted text that ends early and presses a key, another direction. */
const EVIL =
  'x\x1b]0;pwned\x07\x1b[2J\x9b35m\x1b]8;;https://evil\x1b\\\x1b[200~q\x1b[201~a\rover\u202egnp\u200b\x7f\b\nFAKE';

const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const STATE = {
  ...historyState(
    ['claude', { session_id: EVIL, hook_event_name: 'UserPromptSubmit', prompt: EVIL, cwd: `/work/${EVIL}` }],
    [
      'claude',
      {
        session_id: EVIL,
        hook_event_name: 'PreToolUse',
        tool_name: `mcp__${EVIL}__${EVIL}`,
        tool_input: { [EVIL]: EVIL },
        tool_use_id: EVIL,
      },
    ],
    [
      'claude',
      {
        session_id: 's',
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: `ls ${EVIL}` },
        tool_use_id: 'u',
      },
    ],
  ),
  pending: [
    request('a', `rm ${EVIL}`, {
      expiresAt: NOW + 60_000,
      place: EVIL,
      reason: EVIL,
      rules: [EVIL],
      asked: { prompt: EVIL, turn: 1 },
    }),
  ],
};

test.each([
  [80, 24],
  [160, 45],
  [40, 8],
])('at %i × %i no name, place, reason or prompt acts on the terminal', (columns, rows) => {
  const lines = openTestScreen(STATE, { columns, rows }).rows();
  expect(lines).toHaveLength(rows);
  expect(lines.flatMap((line) => line.match(ACTING) ?? [])).toEqual([]);
  // Proves that the hostile text was on the screen at all.
  if (rows >= 24) expect(lines.join('\n')).toContain('␛]0;pwned');
});
