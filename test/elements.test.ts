import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLAUDE_HOOKS } from './elements/claude-hooks.ts';
import type { Element } from './elements/element.ts';
import { GEMINI_HOOKS } from './elements/gemini-hooks.ts';
import { OBSERVATIONS } from './elements/observations.ts';
import { UNIFIED_EVENTS } from './elements/unified-events.ts';

const root = new URL('../', import.meta.url);

/** Does the file have a test of this title, or the agent a fixture of this name? */
function exists([, file, shownBy]: Element): boolean {
  const path = new URL(file, root);
  if (!existsSync(path)) return false;
  const [, agent, folder] = /^fixture: (\w+)\/(.+)$/.exec(shownBy) ?? [];
  if (agent !== undefined) return existsSync(new URL(`src/agents/${agent}/fixtures/${folder}/`, root));
  const text = readFileSync(path, 'utf8');
  return [`'${shownBy}',`, `\`${shownBy}\`,`].some((title) => text.includes(title));
}

/** Formats that people have written hooks, dispatchers and observers in, element by element. */
const FORMATS: Readonly<Record<string, readonly Element[]>> = {
  'observations from hooks': OBSERVATIONS,
  'hooks of Claude Code': CLAUDE_HOOKS,
  'hooks of Gemini CLI': GEMINI_HOOKS,
  'unified events': UNIFIED_EVENTS,
};

describe.each(Object.entries(FORMATS))('%s', (_, elements) => {
  test('every element is shown by a test that exists', () => {
    expect(elements.filter((element) => !exists(element))).toEqual([]);
  });

  test('no element is listed twice', () => {
    const names = elements.map(([element]) => element);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

test('a title that no test has is found', () => {
  expect(exists(['x', 'test/elements.test.ts', 'no such title, anywhere'.toUpperCase()])).toBe(false);
  expect(exists(['x', 'test/no-such-file.test.ts', 'a'])).toBe(false);
  expect(exists(['x', 'test/elements.test.ts', 'no element is listed twice'])).toBe(true);
});
