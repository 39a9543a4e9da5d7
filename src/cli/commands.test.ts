import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { AGENT_COMMANDS, AGENT_IDS } from '../agents/_names.ts';
import { AGENTS } from '../agents/_registry.ts';
import { COMMANDS } from './commands.ts';
import { fullName, GROUPS, PARTS, SUMMARIES } from './summaries.ts';

const Pack = v.object({
  rules: v.array(v.looseObject({ id: v.string(), command: v.optional(v.any(), []) })),
});

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

test('every command has a summary, and every summary a command', () => {
  expect(Object.keys(SUMMARIES).sort()).toEqual(Object.keys(COMMANDS).sort());
});

test('what is said of agents without loading them is what they say', () => {
  const bridges = [...AGENTS.values()].flatMap(({ id, bridge }) => (bridge ? [[id, bridge.summary]] : []));
  expect(AGENT_COMMANDS).toEqual(Object.fromEntries(bridges));
  expect(AGENT_IDS).toEqual([...AGENTS.keys()]);
});

test('a newcomer has few commands to read', () => {
  expect(listed.length).toBeLessThanOrEqual(19);
});

test('a part has one place', () => {
  const parts = Object.values(PARTS).flat();
  expect(new Set(parts).size).toBe(parts.length);
});

test('what an agent may not run by its short name it may not run by its full name either', () => {
  const pack = readFileSync(new URL('../rules/packs/self-protection.yaml', import.meta.url), 'utf8');
  const { rules } = v.parse(Pack, parse(pack));
  const forbidden = new Set(
    rules.flatMap(({ id, command }) => (id === 'self-protection/commands' ? command : [])),
  );
  const isForbidden = (line: string) => [...forbidden].some((one) => `${line} `.startsWith(`${one} `));
  const parts = Object.values(PARTS)
    .flat()
    .filter((name) => forbidden.has(`hookline ${name}`));
  expect(parts.length).toBeGreaterThan(8);
  expect(parts.filter((name) => !isForbidden(`hookline ${fullName(name)}`))).toEqual([]);
});

test.each(Object.entries(COMMANDS))('%s is what it is called', async (name, [, load]) => {
  const { default: command } = await load();
  expect(command.name).toBe(name);
});
