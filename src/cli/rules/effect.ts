import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { scopesOf } from '../../agents/setup/setup.ts';
import type { HomePaths } from '../../home/paths.ts';
import { counted } from '../../model/text.ts';
import { type Effectiveness, effectOn, type RuleEffect } from '../../rules/review/effectiveness.ts';
import type { Rule } from '../../rules/rule.ts';
import { setupContext } from '../agents/context.ts';
import { paint } from '../output/paint.ts';

interface Installed {
  readonly agent: Agent;
  readonly version: string | null;
}

const MARKS: Readonly<Record<Effectiveness, string>> = {
  enforced: paint.green('enforced'),
  advisory: paint.yellow('advisory'),
  impossible: paint.red('impossible'),
};

/** Shows how each agent on this machine enforces each rule. */
export async function effect(
  paths: HomePaths,
  rules: readonly Rule[],
  { json, all }: { readonly json: boolean; readonly all: boolean },
): Promise<number> {
  const installed = await installedAgents(paths);
  const shown = all || json ? rules : rules.filter(({ layer }) => layer !== 'pack');
  if (json) {
    for (const rule of shown) for (const one of installed) printJson(rule, one);
    return 0;
  }
  const widths = {
    id: Math.max(...installed.map(({ agent }) => agent.id.length)),
    version: Math.max(...installed.map(({ version }) => version?.length ?? 0)),
  };
  if (installed.length === 0) console.log('No supported agent is installed.');
  for (const rule of shown) {
    console.log(`${paint.bold(rule.id)}${rule.observing ? paint.yellow(' (observing)') : ''}`);
    for (const one of installed) console.log(agentLines(rule, one, widths).join('\n'));
  }
  const packed = rules.length - shown.length;
  if (packed > 0)
    console.log(paint.dim(`${counted(packed, 'rule')} from packs not shown (show them with --all).`));
  for (const { agent, version } of installed) {
    const measured = [agent.testedPart, agent.testedVersion].filter(Boolean).join(' ');
    if (version !== null && version !== measured)
      console.log(paint.dim(`${agent.label} ${version} is installed; tested with ${measured}.`));
  }
  return 0;
}

async function installedAgents(paths: HomePaths): Promise<Installed[]> {
  const found = await Promise.all(
    [...AGENTS.values()].map(async (agent) => {
      const detection = await agent.setup.detect(setupContext(paths, scopesOf(agent.setup)[0]));
      return { agent, ...detection };
    }),
  );
  return found.filter(({ installed }) => installed);
}

function printJson(rule: Rule, { agent, version }: Installed): void {
  const found = effectOn(rule, agent);
  if (!found) return;
  const { level, parts, unseen } = found;
  const { id, pack, observing } = rule;
  const measured = agent.testedVersion;
  console.log(
    JSON.stringify({ rule: id, pack, observing, agent: agent.id, version, measured, level, parts, unseen }),
  );
}

function agentLines(
  rule: Rule,
  { agent, version }: Installed,
  widths: { readonly id: number; readonly version: number },
): string[] {
  const found = effectOn(rule, agent);
  const name = `  ${agent.id.padEnd(widths.id)} ${paint.dim((version ?? '').padEnd(widths.version))}`;
  if (!found) return [`${name} ${paint.dim('not for this agent')}`];
  return [`${name} ${MARKS[found.level]}`, ...reasons(found).map((why) => paint.dim(`      ${why}`))];
}

function reasons({ parts, unseen }: RuleEffect): string[] {
  const limits = parts.flatMap(({ effect: what, level, why }) =>
    why === null || (level === 'enforced' && what !== 'ask') ? [] : [what === null ? why : `${what}: ${why}`],
  );
  return [...new Set([...limits, ...unseen.map((note) => `not checked: ${note}`)])];
}
