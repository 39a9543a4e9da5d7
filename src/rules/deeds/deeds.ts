import type { ActLine, DeedName } from '../../knowledge/acts.ts';
import { effectActs } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { Certainty, SimpleCommand } from '../../shell/analysis.ts';
import type { Facts, Found } from '../facts.ts';
import { wordsMatch } from '../match/command.ts';
import { hasAll } from '../match/effects.ts';
import { ANY, deedPatterns } from './patterns.ts';
import { type Where, whereDone } from './where.ts';

/** Something that a call does, in the words shared by all ways to do it. */
interface Deed {
  /** Its act and its object. */
  readonly name: DeedName;
  readonly certainty: Certainty;
  /** The command that does it; null for a tool other than a shell. */
  readonly command: number | null;
  /** Its effect; null if a program's knowledge file maps its words to the deed. */
  readonly found: Found | null;
  /** Where it happens, computed on demand. */
  place(): Where;
}

const NONE: readonly DeedName[] = [];

/** The deeds of a command from knowledge files. Runs for every command of every call, so most allocate nothing. */
export function deedsOf(command: SimpleCommand): readonly DeedName[] {
  if (command.inert) return NONE;
  const own = command.tool === null ? NONE : deedsBy(command.tool, command);
  const any = deedsBy(ANY, command);
  return any.length === 0 ? own : own.length === 0 ? any : [...own, ...any];
}

function deedsBy(program: string, command: SimpleCommand): readonly DeedName[] {
  let found: DeedName[] | null = null;
  for (const { deed, patterns } of deedPatterns(program))
    for (const pattern of patterns)
      if (wordsMatch(pattern, command)) {
        found ??= [];
        found.push(deed);
        break;
      }
  return found ?? NONE;
}

const linesByKind = once(() => {
  const byKind = new Map<string, ActLine[]>();
  for (const line of effectActs()) {
    const [kind = ''] = line.words;
    byKind.set(kind, [...(byKind.get(kind) ?? []), line]);
  }
  return byKind;
});

/** The deed of an effect with these tags; null if they only say how something is done. */
export function deedOfEffect(tags: readonly string[]): DeedName | null {
  for (const line of linesByKind().get(tags[0] ?? '') ?? []) if (hasAll(tags, line.words)) return line.deed;
  return null;
}

/**
 * All deeds of a call.
 * @internal for tests
 */
export function deedsIn(facts: Facts): readonly Deed[] {
  const commands = facts.analysis()?.commands ?? [];
  return [
    ...commands.flatMap((command, index) =>
      deedsOf(command).map((name) =>
        deedOf(name, { command: index, found: null, certainty: 'certain' }, facts),
      ),
    ),
    ...facts.effects().flatMap((found) => {
      const name = deedOfEffect(found.tags);
      const { command, certainty } = found;
      return name === null ? [] : [deedOf(name, { command, found, certainty }, facts)];
    }),
  ];
}

function deedOf(name: DeedName, doer: Pick<Deed, 'command' | 'found' | 'certainty'>, facts: Facts): Deed {
  return { name, ...doer, place: once(() => whereDone(doer, facts)) };
}
