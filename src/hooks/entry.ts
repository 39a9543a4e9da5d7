import type { HookEvent } from '../model/events.ts';
import type { PlacedEntry } from './config-file.ts';
import { durationMs } from './config-schema.ts';
import type { Hook } from './hook.ts';
import { type DialectOwner, type Presentation, presentationsOf } from './translate.ts';
import { concerns, eventTypes, isIn, listOf, type When } from './when.ts';

/** Settings shared by all entries of hooks.yaml, resolved. Throws a readable error. */
interface HookEntry {
  readonly hook: Omit<Hook, 'kind' | 'run' | 'concerns'>;
  concerns(event: HookEvent): boolean;
  /** How the event is shown to the hook in its dialect; empty if the hook isn't for it. */
  presentations(event: HookEvent): readonly Presentation[];
}

const DEFAULT_TIMEOUT_MS = 30_000;

export function hookEntryOf(
  { entry, name, where }: PlacedEntry,
  all: ReadonlyMap<string, DialectOwner>,
): HookEntry {
  const owner = entry.dialect === undefined ? null : all.get(entry.dialect);
  if (owner === undefined)
    throw new Error(`unknown dialect "${entry.dialect}"; use one of ${[...all.keys()].join(', ')}`);
  if (entry.event !== undefined && owner && !owner.dialect.events.includes(entry.event))
    throw new Error(`${owner.id} has no event "${entry.event}"; use on: for Hookline's own names`);
  const when = whenOf(entry);
  const presentations = (event: HookEvent): readonly Presentation[] => {
    if (!owner) return [];
    const shown = presentationsOf(event, owner, entry.event);
    return shown.filter(
      ({ presented }) =>
        (entry.event === undefined || presented.event === entry.event) &&
        owner.dialect.matches(presented, entry.matcher),
    );
  };
  const fallback = entry.type === 'command' ? owner?.dialect.defaultTimeoutMs : undefined;
  return {
    hook: {
      name,
      where,
      timeoutMs:
        entry.timeout === undefined
          ? (fallback ?? DEFAULT_TIMEOUT_MS)
          : durationMs(entry.timeout, owner?.dialect.timeoutUnit ?? 's'),
      failure: entry.failure ?? null,
      background: entry.background,
      problem: null,
    },
    concerns(event) {
      if (entry.project !== undefined && !isIn(event, entry.project)) return false;
      if (when && !concerns(when, event)) return false;
      // Without its own events or ours, it would get every event.
      return owner ? presentations(event).length > 0 : when !== null;
    },
    presentations,
  };
}

function whenOf(entry: PlacedEntry['entry']): When | null {
  const names = listOf(entry.on) ?? (entry.event === undefined ? ['tool'] : null);
  const events = names && eventTypes(names);
  if (events && 'unknown' in events) throw new Error(`unknown event "${events.unknown}"`);
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

/** A set that contains every event. */
const EVERY: When['on'] = Object.assign(new Set<never>(), { has: () => true });
