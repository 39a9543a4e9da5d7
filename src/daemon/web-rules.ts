import { AGENTS } from '../agents/_registry.ts';
import { type Agent, type Support, supportOf } from '../agents/agent.ts';
import { effectsOf } from '../model/responses.ts';
import type { Rule } from '../rules/rule.ts';
import type { RuleHits } from './rule-tally.ts';
import type { RuleReach, RuleView } from './web-shapes.ts';

/** The rules in force with what came of them, on each agent. */
export function viewRules(rules: readonly Rule[], hits: ReadonlyMap<string, RuleHits>): readonly RuleView[] {
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
      lastEvent: found?.lastEvent ?? null,
      reach: [...AGENTS.values()].map((agent) => reachOf(rule, agent, found)),
    };
  });
}

const RANK = { native: 0, emulated: 1, none: 2 } as const;

/** The worst of what the rule wants, on the events that the agent has and the rule is for. */
function reachOf(rule: Rule, agent: Agent, found: RuleHits | undefined): RuleReach {
  const wanted = [...rule.on].filter((type) => agent.supports[type]);
  const supports = wanted.flatMap((type) =>
    effectsOf(rule.response).map((effect): Support => supportOf(agent, type, effect)),
  );
  const absent: Support = { level: 'none', note: `${agent.label} has none of the events of this rule.` };
  const worst = supports.reduce<Support>(
    (a, b) => (RANK[b.level] > RANK[a.level] ? b : a),
    supports[0] ?? absent,
  );
  return {
    agent: agent.id,
    level: worst.level,
    note: worst.note ?? null,
    hits: found?.perAgent.get(agent.id)?.hits ?? 0,
    degraded: found?.perAgent.get(agent.id)?.degraded ?? 0,
  };
}
