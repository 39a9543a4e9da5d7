import { expect, test } from 'vitest';
import { COMMANDS, GROUPS, PARTS } from './commands.ts';

const listed = Object.values(GROUPS).flatMap((group) => Object.keys(group));

test('a command stands in one group only', () => {
  expect(new Set(listed).size).toBe(listed.length);
});

test('what is not listed is a part of what is, or the first thing that is run', () => {
  const parts = Object.values(PARTS).flat();
  expect(Object.keys(COMMANDS).filter((name) => !listed.includes(name) && !parts.includes(name))).toEqual([
    'welcome',
  ]);
  for (const name of [...Object.keys(PARTS), ...parts]) expect(Object.keys(COMMANDS)).toContain(name);
  for (const name of Object.keys(PARTS)) expect(listed).toContain(name);
});

test.each(Object.entries(COMMANDS))('%s is what it is called', async (name, [, load]) => {
  const { default: command } = await load();
  expect(command.name).toBe(name);
});
