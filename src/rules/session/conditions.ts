import type { Test } from '../conditions.ts';
import { type ConditionsText, parseLimit, parseSpan } from '../schema.ts';
import { placesWritten } from './write-conflicts.ts';

/** Conditions of a rule about earlier calls. */
export function sessionTests(text: ConditionsText): readonly Test[] {
  return [...refusalTests(text), ...conflictTests(text)];
}

function refusalTests({ denied, denials }: ConditionsText): readonly Test[] {
  const wanted = [['call', denied] as const, ['any', denials] as const];
  return wanted.flatMap(([of, limit]): Test[] => {
    const least = limit === undefined ? null : parseLimit(limit);
    if (!least) return [];
    return [({ event, memory, world }) => memory.refusals(of, least.per, event, world.now()) >= least.count];
  });
}

const DEFAULT_WITHIN = '10m';

function conflictTests({ conflict, within }: ConditionsText): readonly Test[] {
  if (conflict === undefined) return [];
  const ms = parseSpan(within ?? DEFAULT_WITHIN);
  return [
    (facts) => {
      const places = placesWritten(facts, conflict);
      return facts.memory.writers.isElsewhere(facts.event, places, ms, facts.world.now());
    },
  ];
}
