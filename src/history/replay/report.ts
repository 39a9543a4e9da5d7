import type { Agent } from '../../agents/agent.ts';
import type { Decision } from '../../model/responses.ts';
import { eventTitle } from '../../model/subject.ts';
import { idToday } from '../../rules/gone.ts';
import type { Rule } from '../../rules/rule.ts';
import type { RecordedCall } from './recorded-calls.ts';
import { readBack } from './replay.ts';

/** What one rule in observe mode would have done. */
export interface Observed {
  readonly rule: string;
  readonly decision: Decision;
  /** Null for a rule that was removed since. */
  readonly pack: string | null;
  readonly inForce: boolean;
  times: number;
  /** Time of its first match; null if there was none. */
  readonly since: number | null;
  readonly agents: Set<string>;
  /** The first different calls that it matched. */
  readonly examples: Map<string, string>;
}

const EXAMPLES = 5;

/** What today's rules in observe mode, and those named in recorded calls, would have done to those calls. */
export function observedRules(
  calls: Iterable<RecordedCall>,
  rules: readonly Rule[],
  agents: ReadonlyMap<string, Agent>,
): Observed[] {
  const found = new Map<string, Observed>();
  for (const call of calls) {
    for (const opinion of call.opinions) {
      if (opinion.observing !== true || opinion.spent || opinion.kind !== 'rule') continue;
      const by = idToday(opinion.by);
      const rule = rules.find(({ id }) => id === by);
      const entry: Observed = found.get(by) ?? entryFor(by, opinion.response.decision, rule, call.timestamp);
      found.set(by, entry);
      entry.times += 1;
      entry.agents.add(call.source);
      if (entry.examples.size < EXAMPLES) addExample(entry, call, agents);
    }
  }
  const silent = rules
    .filter(({ id, observing }) => observing && !found.has(id))
    .map((rule) => entryFor(rule.id, rule.response.decision, rule, null));
  return [...[...found.values()].sort((a, b) => b.times - a.times), ...silent];
}

function entryFor(rule: string, decision: Decision, now: Rule | undefined, since: number | null): Observed {
  return {
    rule,
    decision,
    pack: now?.pack ?? null,
    inForce: now?.observing ?? false,
    times: 0,
    since,
    agents: new Set(),
    examples: new Map(),
  };
}

function addExample(entry: Observed, call: RecordedCall, agents: ReadonlyMap<string, Agent>): void {
  const agent = agents.get(call.source);
  const event = agent && readBack(agent, call);
  const subject = event ? eventTitle(event) : call.type;
  if (!entry.examples.has(subject)) entry.examples.set(subject, call.id);
}
