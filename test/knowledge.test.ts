import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readPrograms, type Written } from '../src/knowledge/compile.ts';
import { actingPrograms, actsOf, entryFor } from '../src/knowledge/load.ts';
import { deedsOf } from '../src/rules/deeds/deeds.ts';
import { ANY } from '../src/rules/deeds/patterns.ts';
import { effectTags } from '../src/rules/match/effect-tags.ts';
import { analyse } from '../src/shell/analyse.ts';
import type { Analysis } from '../src/shell/analysis.ts';
import { toolName } from '../src/shell/program-names.ts';
import { CODE, TEXTS } from '../src/shell/programs/code.ts';
import { holds, matching } from '../src/shell/programs/effects.ts';
import { TESTS } from '../src/shell/programs/git/losses.ts';

const programs = readPrograms(fileURLToPath(new URL('../knowledge', import.meta.url)));

const look = (line: string): Analysis => analyse(line, { cwd: '/home/dev/shop', home: '/home/dev' });

/** What an example may do that must stay quiet. */
function isQuiet(words: readonly string[]): boolean {
  const [kind] = words;
  if (kind === 'resource') return !words.includes('destructive');
  if (kind === 'network') return words.includes('out') && !words.includes('sends');
  return kind === 'run' || kind === 'read';
}

/** What of an example does not come out as it says. */
function failures(line: string, gives: string): string[] {
  const { effects, commands } = look(line);
  const found = effects.map(effectTags);
  if (gives === 'none')
    return found.filter((words) => !isQuiet(words)).map((words) => `also ${words.join(' ')}`);
  found.push(...commands.flatMap(deedsOf).map((deed) => `act ${deed}`.split(' ')));
  return gives
    .split(';')
    .map((part) => part.trim().split(/\s+/))
    .filter((wanted) => !found.some((words) => wanted.every((word) => words.includes(word))))
    .map(
      (wanted) =>
        `not ${wanted.join(' ')}, but ${found.map((words) => words.join(' ')).join('; ') || 'none'}`,
    );
}

/** Entries that none of the examples comes to, by their places in the file. */
function unreached({ text }: Written): string[] {
  const commands = text.examples.flatMap((example) => look(Object.keys(example)[0] ?? '').commands);
  const done = new Set(commands.flatMap(deedsOf));
  const acts = text.names.flatMap((name) => actsOf(name) ?? []);
  const undone = [...new Set(acts.map(({ deed }) => deed))].filter((deed) => !done.has(deed));
  const byEffects = text.names.slice(0, 1).flatMap((first) => {
    const { effects = [], losses = [] } = entryFor(first) ?? {};
    const own = commands.filter(({ tool }) => tool !== null && text.names.includes(tool));
    const met = new Set(own.flatMap((command) => [...matching(effects, command)]));
    return [
      ...effects.flatMap((effect, at) => (met.has(effect) ? [] : [`effect ${at + 1} has no example`])),
      ...losses.flatMap((loss, at) =>
        own.some((command) => holds(loss, command)) ? [] : [`loss ${at + 1} has no example`],
      ),
    ];
  });
  return [...byEffects, ...undone.map((deed) => `acts: ${deed} has no example`)];
}

describe.each(programs.map((one) => [`${one.file}: ${one.text.names[0]}`, one] as const))(
  '%s',
  (_, written) => {
    test('follows its examples', () => {
      const failed = written.text.examples.flatMap((example) =>
        Object.entries(example).flatMap(([line, gives]) =>
          failures(line, gives).map((what) => `${line}: ${what}`),
        ),
      );
      expect(failed).toEqual([]);
      expect(unreached(written)).toEqual([]);
    });
  },
);

test('every program in a file has its lookup name', () => {
  expect(programs.flatMap(({ text }) => text.names).filter((name) => toolName(name) !== name)).toEqual([]);
});

test('code and files name each other completely', () => {
  const named = programs.flatMap(({ text: { run, effects = [], variants = {} } }) =>
    [run, ...effects.map((effect) => effect.run), ...Object.values(variants).map((own) => own.run)].flatMap(
      (name) => name ?? [],
    ),
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(CODE).sort());
  const tested = programs.flatMap(({ text: { losses = [] } }) => losses.flatMap((loss) => loss.if ?? []));
  expect([...new Set(tested)].sort()).toEqual(Object.keys(TESTS).sort());
  const read = programs.flatMap(({ text }) => text.executes?.as ?? []);
  expect([...new Set(read)].sort()).toEqual(Object.keys(TEXTS).sort());
});

/** Lines that a command of a program's `acts` speaks of, with each way to write the value of an option. */
function linesFor(program: string, command: string): readonly string[] {
  const text = `${program === ANY ? 'some-program' : program} ${command}`.trim();
  const plain = text.replaceAll(/\{([^{},]*)[^{}]*\}/g, '$1').replaceAll(/\*+|\?/g, 'x');
  return [plain, plain.replaceAll(/ (--?[\w-]+)=/g, ' $1 ')];
}

test.each(actingPrograms())('every command among the acts of %s has its effect', (program) => {
  const missed = (actsOf(program) ?? []).flatMap(({ deed, commands }) =>
    commands
      .flatMap((command) => linesFor(program, command))
      .filter((line) => !look(line).commands.some((one) => deedsOf(one).includes(deed))),
  );
  expect(missed).toEqual([]);
});
