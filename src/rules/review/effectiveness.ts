import { type Agent, supportOf } from '../../agents/agent.ts';
import { EVENT_GROUPS, type EventType } from '../../model/events.ts';
import { type Effect, effectsOf } from '../../model/responses.ts';
import { toolKind } from '../../model/tools.ts';
import { wordMatch } from '../match/word-match.ts';
import type { Rule } from '../rule.ts';
import { staticScope } from './reach.ts';

/**
 * How well an agent follows a rule: `enforced` by the client, `advisory` if it is delivered differently or too late,
 * `impossible` otherwise.
 */
export type Effectiveness = 'enforced' | 'advisory' | 'impossible';

export interface RuleEffect {
  readonly level: Effectiveness;
  /** Each effect of the rule, for the best of equivalent events. */
  readonly parts: readonly EffectPart[];
  /** Calls that the rule is about and that fire no hook. */
  readonly unseen: readonly string[];
}

interface EffectPart {
  readonly on: readonly EventType[];
  /** Null if the agent has none of the events. */
  readonly effect: Effect | null;
  readonly level: Effectiveness;
  readonly why: string | null;
}

const RANK: Readonly<Record<Effectiveness, number>> = { impossible: 0, advisory: 1, enforced: 2 };

/** Null for a rule about other agents. */
export function effectOn(rule: Rule, agent: Agent): RuleEffect | null {
  const { agents } = staticScope(rule.written[0] ?? {});
  if (agents && !agents.includes(agent.id)) return null;
  const parts = unitsOf(rule.on).flatMap((unit) => partsOf(rule, unit, agent));
  const { unseen, wholly } = blindTo(rule, agent);
  const weakest = parts.reduce<Effectiveness>(
    (level, part) => (RANK[part.level] < RANK[level] ? part.level : level),
    'enforced',
  );
  return { level: wholly ? 'impossible' : weakest, parts, unseen };
}

/** Events of one group are equivalent; each of the others counts separately. */
function unitsOf(on: ReadonlySet<EventType>): readonly (readonly EventType[])[] {
  const groups = Object.values<readonly EventType[]>(EVENT_GROUPS).filter((group) =>
    group.every((type) => on.has(type)),
  );
  const single = [...on].filter((type) => !groups.some((group) => group.includes(type)));
  return [...groups, ...single.map((type) => [type])];
}

function partsOf(rule: Rule, unit: readonly EventType[], agent: Agent): EffectPart[] {
  const had = unit.filter((type) => agent.supports[type] !== undefined);
  if (had.length === 0) {
    return [
      { on: unit, effect: null, level: 'impossible', why: `${agent.label} has no ${unit.join(' or ')}.` },
    ];
  }
  return effectsOf(rule.response).map((effect) => {
    const types = effect === rule.response.decision ? had : had.filter((type) => rule.tellsOn.has(type));
    const ways = (types.length > 0 ? types : had).map((type) => wayOf(agent, type, effect));
    const best = ways.reduce((a, b) => (RANK[b.level] > RANK[a.level] ? b : a));
    return { on: had, effect, level: best.level, why: best.why };
  });
}

function wayOf(agent: Agent, type: EventType, effect: Effect): Pick<EffectPart, 'level' | 'why'> {
  const { level, note = null } = supportOf(agent, type, effect);
  if (level === 'native') return { level: 'enforced', why: note };
  // An ask that is sent as a denial, or left to the client's own dialog, still stops the call.
  if (effect === 'ask' && level === 'emulated' && supportOf(agent, type, 'deny').level === 'native')
    return { level: 'enforced', why: note };
  if (effect === 'context')
    return {
      level: 'advisory',
      why: `${note ?? ''} It is sent with the next event that supports it.`.trim(),
    };
  return { level: level === 'emulated' ? 'advisory' : 'impossible', why: note };
}

function blindTo(rule: Rule, agent: Agent): { readonly unseen: readonly string[]; readonly wholly: boolean } {
  if (!rule.on.has('before_tool')) return { unseen: [], wholly: false };
  const { tools, kinds } = staticScope(rule.written[0] ?? {});
  const named = tools?.map(wordMatch);
  const speaksOf = (tool: string) =>
    (named?.some((match) => match(tool)) ?? true) && (kinds?.includes(toolKind(tool, null)) ?? true);
  const spots = agent.blindSpots.filter((spot) => spot.tools?.some(speaksOf) ?? true);
  const isBlind = (tool: string) => spots.some((spot) => spot.all && spot.tools?.includes(tool));
  return {
    unseen: spots.map(({ note }) => note),
    wholly: tools !== null && tools.length > 0 && tools.every(isBlind),
  };
}
