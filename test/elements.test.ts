import { describe, expect, test } from 'vitest';
import { CALLBACK_CALLS } from './elements/callback-calls.ts';
import { CALLBACK_EVENTS } from './elements/callback-events.ts';
import { CLAUDE_HOOKS } from './elements/claude-hooks.ts';
import { type Element, hasTest } from './elements/element.ts';
import { GEMINI_HOOKS } from './elements/gemini-hooks.ts';
import { OBSERVATIONS } from './elements/observations.ts';
import { OBSERVED_EVENTS } from './elements/observed-events.ts';
import { UNIFIED_CLAUDE } from './elements/unified-claude.ts';
import { UNIFIED_CODEX } from './elements/unified-codex.ts';
import { UNIFIED_GEMINI } from './elements/unified-gemini.ts';

/** Formats that people have written hooks, dispatchers, forwarders and observers in, element by element. */
const FORMATS: Readonly<Record<string, readonly Element[]>> = {
  'events for observers': OBSERVED_EVENTS,
  'observations from hooks': OBSERVATIONS,
  'hooks of Claude Code': CLAUDE_HOOKS,
  'callbacks of Claude Code, and calls': CALLBACK_CALLS,
  'callbacks of Claude Code, other events': CALLBACK_EVENTS,
  'hooks of Gemini CLI': GEMINI_HOOKS,
  'unified events of Claude Code': UNIFIED_CLAUDE,
  'unified events of Gemini CLI': UNIFIED_GEMINI,
  'unified events of Codex': UNIFIED_CODEX,
};

describe.each(Object.entries(FORMATS))('%s', (_, elements) => {
  test.each(elements)('%s', (_, shown) => shown());

  test('no element is listed twice', () => {
    const names = elements.map(([element]) => element);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

test('reports a title that no test has', () => {
  expect(hasTest('test/elements.test.ts', 'no such title, anywhere'.toUpperCase())).toBe(false);
  expect(hasTest('test/no-such-file.test.ts', 'a')).toBe(false);
  expect(hasTest('test/elements.test.ts', 'no element is listed twice')).toBe(true);
});
