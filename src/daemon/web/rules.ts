import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { inspectAgent } from '../../home/inspect-agent.ts';
import { effectsOf } from '../../model/responses.ts';
import { effectOn } from '../../rules/review/effectiveness.ts';
import type { Rule } from '../../rules/rule.ts';
import { lastDays, type RuleHits } from './rule-tally.ts';
import type { RuleReach, RuleView } from './shapes.ts';

/** The active rules with their effect, on each agent. */
export function viewRules(
  rules: readonly Rule[],
  hits: ReadonlyMap<string, RuleHits>,
  agents: readonly Agent[],
  now: number = Date.now(),
): readonly RuleView[] {
  const days = lastDays(DAYS, now);
  return rules.map((rule) => {
    const found = hits.get(rule.id);
    return {
      id: rule.id,
      layer: rule.layer,
      pack: rule.pack,
      where: rule.where,
      decision: rule.response.decision,
      effects: effectsOf(rule.response),
      reason: rule.response.reason ?? rule.response.context ?? null,
      observing: rule.observing,
      hits: found?.hits ?? 0,
      lastAt: found?.lastAt ?? null,
      days: days.map((day) => found?.perDay.get(day) ?? 0),
      reach: reachesOf(rule, agents, found),
    };
  });
}

const DAYS = 14;

/** The agents that are set up, which are those that a rule can reach here; all of them before the first is. */
export function agentsHere(home: Parameters<typeof inspectAgent>[1]): readonly Agent[] {
  const all = [...AGENTS.values()];
  const here = all.filter((agent) => inspectAgent(agent, home).setUp);
  return here.length > 0 ? here : all;
}

export function reachesOf(rule: Rule, agents: readonly Agent[], found?: RuleHits): readonly RuleReach[] {
  return agents.map((agent) => reachOf(rule, agent, found));
}

const LEVELS = { enforced: 'native', advisory: 'emulated', impossible: 'none' } as const;

/** The same as `hookline rules effect` says. */
function reachOf(rule: Rule, agent: Agent, found: RuleHits | undefined): RuleReach {
  const effect = effectOn(rule, agent);
  const worst = effect?.parts.find(({ level, why }) => level === effect.level && why !== null);
  return {
    agent: agent.id,
    level: effect ? LEVELS[effect.level] : 'none',
    note: effect ? (worst?.why ?? effect.unseen[0] ?? null) : 'The rule does not apply to this agent.',
    hits: found?.perAgent.get(agent.id)?.hits ?? 0,
    degraded: found?.perAgent.get(agent.id)?.degraded ?? 0,
  };
}
