import { AGENTS } from '../agents/_registry.ts';
import { readHistory } from '../client/history.ts';
import { type Observed, observedRules } from '../hindsight/observed.ts';
import type { HomePaths } from '../home/paths.ts';
import type { Rule } from '../rules/rule.ts';
import { recordedCalls } from '../store/recorded-calls.ts';
import { verdict } from './event-line.ts';
import { paint } from './paint.ts';

/** What the rules that only observe would have done, and how to let them. */
export async function report(
  paths: HomePaths,
  rules: readonly Rule[],
  since: number,
  json: boolean,
): Promise<number> {
  const observed = await readHistory(paths, (db) =>
    observedRules(recordedCalls(db, since, 'observed'), rules, AGENTS),
  );
  if (json) for (const one of observed) console.log(JSON.stringify(toJson(one)));
  else console.log(lines(observed).join('\n'));
  return 0;
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
    return ['No rule is observing. `mode: observe` in a rule, a file or for a pack makes it.'];
  const spoken = observed.filter(({ times }) => times > 0);
  const silent = observed.filter(({ times }) => times === 0);
  return [
    ...spoken.flatMap(ruleLines),
    ...(silent.length > 0 ? [`${silent.length} observing rules would have done nothing.`] : []),
  ];
}

function ruleLines({ rule, pack, decision, inForce, times, since, agents, examples }: Observed): string[] {
  const day = since === null ? '' : `, since ${new Date(since).toISOString().slice(0, 16).replace('T', ' ')}`;
  const enforce = `hookline rules enforce ${pack ?? rule}`;
  return [
    `${verdict(decision)} ${paint.bold(rule)}  ${times} times${day}, ${[...agents].join(', ')}`,
    ...[...examples].map(([subject, id]) => `    ${oneLine(subject)}  ${paint.dim(id)}`),
    `    ${inForce ? `to enforce it${pack ? ` with its pack` : ''}: ${paint.cyan(enforce)}` : paint.dim('no longer observing')}`,
    '',
  ];
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ');
  return flat.length > 70 ? `${flat.slice(0, 69)}…` : flat;
}
