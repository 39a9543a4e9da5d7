import type { HookEvent } from '../model/events.ts';
import type { PlacedEntry } from './config-file.ts';
import { durationMs } from './config-schema.ts';
import type { Hook } from './hook.ts';
import { type Showing, type Speaker, showings } from './translate.ts';
import { concerns, eventTypes, isIn, listOf, type When } from './when.ts';

/** What every entry of hooks.yaml has in common, worked out. Throws in words what cannot be. */
export interface Basis {
  readonly hook: Omit<Hook, 'kind' | 'run' | 'concerns'>;
  concerns(event: HookEvent): boolean;
  /** The ways in which the event is shown to the hook, in its dialect; none where it is not for it. */
  ways(event: HookEvent): readonly Showing[];
}

const DEFAULT_TIMEOUT_MS = 30_000;

export function basisOf({ entry, name, where }: PlacedEntry, all: ReadonlyMap<string, Speaker>): Basis {
  const speaker = entry.dialect === undefined ? null : all.get(entry.dialect);
  if (speaker === undefined)
    throw new Error(`there is no dialect "${entry.dialect}"; there are ${[...all.keys()].join(', ')}`);
  if (entry.event !== undefined && speaker && !speaker.dialect.events.includes(entry.event))
    throw new Error(`${speaker.id} has no event "${entry.event}"; use on: for Hookline's own names`);
  const when = whenOf(entry);
  const ways = (event: HookEvent): readonly Showing[] => {
    if (!speaker) return [];
    const shown = showings(event, speaker, all);
    return shown.filter(
      ({ presented }) =>
        (entry.event === undefined || presented.event === entry.event) &&
        speaker.dialect.matches(presented, entry.matcher),
    );
  };
  const fallback = entry.type === 'command' ? speaker?.dialect.defaultTimeoutMs : undefined;
  return {
    hook: {
      name,
      where,
      timeoutMs:
        entry.timeout === undefined
          ? (fallback ?? DEFAULT_TIMEOUT_MS)
          : durationMs(entry.timeout, speaker?.dialect.timeoutUnit ?? 's'),
      failure: entry.failure ?? null,
      background: entry.background,
      problem: null,
    },
    concerns(event) {
      if (entry.project !== undefined && !isIn(event, entry.project)) return false;
      if (when && !concerns(when, event)) return false;
      // Without events of its own or ours it would be asked about everything.
      return speaker ? ways(event).length > 0 : when !== null;
    },
    ways,
  };
}

function whenOf(entry: PlacedEntry['entry']): When | null {
  const names = listOf(entry.on) ?? (entry.event === undefined ? ['tool'] : null);
  const events = names && eventTypes(names);
  if (events && 'unknown' in events) throw new Error(`there is no event "${events.unknown}"`);
  const tools = listOf(entry.tool);
  const agents = listOf(entry.agent);
  if (!events && !tools && !agents) return null;
  return {
    on: events?.types ?? EVERY,
    tools: tools && new Set(tools),
    agents: agents && new Set(agents),
    project: null,
  };
}

/** A set that has every event. */
const EVERY: When['on'] = Object.assign(new Set<never>(), { has: () => true });
