import { AGENTS } from '../../agents/_registry.ts';
import { readHistory } from '../../client/history.ts';
import { recordedCalls } from '../../history/replay/recorded-calls.ts';
import { type Observed, observedRules } from '../../history/replay/report.ts';
import { type RulePrompts, readRulePrompts } from '../../history/rule-prompts.ts';
import type { HomePaths } from '../../home/paths.ts';
import { counted, minuteOf, oneLine } from '../../model/text.ts';
import type { Rule } from '../../rules/rule.ts';
import { verdict } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';

/** Shows what rules in observe mode would have done, and which rules users overrule most. */
export async function report(
  paths: HomePaths,
  rules: readonly Rule[],
  since: number,
  json: boolean,
): Promise<number> {
  const { observed, overruled } = await readHistory(paths, (db) => ({
    observed: observedRules(recordedCalls(db, { since }, 'observed'), rules, AGENTS),
    overruled: readRulePrompts(db, { since }).filter(({ allowed }) => allowed > 0),
  }));
  if (json) {
    for (const one of observed) console.log(JSON.stringify(toJson(one)));
    for (const { rule, asked, allowed, refused } of overruled)
      console.log(JSON.stringify({ rule, overruled: allowed, asked, refused }));
  } else console.log([...lines(observed), ...overruledLines(overruled)].join('\n'));
  return 0;
}

const MOST_OVERRULED = 10;

/** Rules that users usually overrule: candidates for a grant, an exception or `disabledRules`. */
function overruledLines(overruled: readonly RulePrompts[]): string[] {
  if (overruled.length === 0) return [];
  return [
    '',
    paint.bold('Most often allowed'),
    ...overruled.slice(0, MOST_OVERRULED).map(overruledLine),
    `  To stop prompts, run ${paint.cyan('hookline rules learn')} or list a rule under \`disabledRules\` in config.yaml.`,
  ];
}

export function overruledLine({ rule, asked, allowed }: RulePrompts): string {
  const share = Math.round((100 * allowed) / asked);
  return `  ${paint.bold(rule)}  asked ${counted(asked, 'time')}, allowed ${allowed} (${share}%)`;
}

function toJson(one: Observed): unknown {
  return {
    rule: one.rule,
    pack: one.pack,
    decision: one.decision,
    observing: one.inForce,
    times: one.times,
    since: one.since === null ? null : new Date(one.since).toISOString(),
    agents: [...one.agents],
    examples: [...one.examples].map(([subject, id]) => ({ subject, id })),
  };
}

function lines(observed: readonly Observed[]): string[] {
  if (observed.length === 0)
    return ['No rule is in observe mode. Set `mode: observe` in a rule or file, or a pack to `observe`.'];
  const spoken = observed.filter(({ times }) => times > 0);
  const silent = observed.filter(({ times }) => times === 0);
  return [
    ...spoken.flatMap(ruleLines),
    ...(silent.length > 0 ? [`${counted(silent.length, 'rule in observe mode')} matched no calls.`] : []),
  ];
}

function ruleLines({ rule, pack, decision, inForce, times, since, agents, examples }: Observed): string[] {
  const day = since === null ? '' : `, since ${minuteOf(since)}`;
  const enforce = `hookline rules enforce ${pack ?? rule}`;
  return [
    `${verdict(decision)} ${paint.bold(rule)}  ${times} times${day}, ${[...agents].join(', ')}`,
    ...[...examples].map(([subject, id]) => `    ${oneLine(subject, 70)}  ${paint.dim(id)}`),
    `    ${inForce ? `enforce it${pack ? ` with its pack` : ''}: ${paint.cyan(enforce)}` : paint.dim('no longer in observe mode')}`,
    '',
  ];
}
