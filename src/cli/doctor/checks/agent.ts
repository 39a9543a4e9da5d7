import type { Agent } from '../../../agents/agent.ts';
import { applyEdits } from '../../../agents/setup/journal.ts';
import { type Finding, type SetupContext, scopesOf } from '../../../agents/setup/setup.ts';
import { installForwarder } from '../../../forwarder/install.ts';
import { readReports } from '../../../live/stored-reports.ts';
import { setupContext } from '../../agents/context.ts';
import { hookedContexts } from '../../agents/hooked.ts';
import { forwarderSource } from '../../forwarder-source.ts';
import type { Check, Diagnosis, Examined, Repair } from '../check.ts';
import { versionFinding } from './version.ts';

/** Checks that an agent's settings have Hookline's hooks as setup writes them, and that the agent calls them. */
export function agentCheck(agent: Agent): Check {
  return async (examined) => {
    const { paths, config } = examined;
    const contextOf = (scope: SetupContext['scope']) => setupContext(paths, scope, [], config);
    const contexts = hookedContexts(agent, contextOf);
    const first = contextOf(scopesOf(agent.setup)[0]);
    const inspected = contexts.length > 0 ? contexts : [first];
    const inspections = distinct(
      inspected.flatMap((context) =>
        agent.setup.inspect(context).map((finding) => repairable(finding, agent, context, examined)),
      ),
    );
    const findings = [...inspections, ...twoScopes(agent, contexts, inspections)];
    const detected = await agent.setup.detect(first);
    if (!detected.installed) {
      const message = `${agent.label} is not on PATH.`;
      // An agent that is not installed need not be set up, but existing hooks are still checked.
      const others = findings.filter(({ code }) => code !== 'not-set-up');
      return [{ level: 'limit', code: 'not-installed', message, fix: null }, ...others];
    }
    const kept = readReports(paths.live).get(agent.id) ?? null;
    return [versionFinding(agent, detected, kept), ...findings.map((finding) => unguarded(finding, agent))];
  };
}

function repairable(finding: Finding, agent: Agent, context: SetupContext, examined: Examined): Diagnosis {
  const { bySetup, ...found } = finding;
  if (!bySetup) return found;
  const { paths, config } = examined;
  const repair: Repair = {
    id: `setup ${agent.id} ${context.scope}`,
    done: `Restored the hooks of ${agent.label}.`,
    run() {
      installForwarder(paths.root, forwarderSource(config));
      applyEdits(agent.setup.plan(context), paths.setup);
    },
  };
  return { ...found, repair };
}

/** The finding for an agent without hooks. */
function unguarded(finding: Diagnosis, { label }: Agent): Diagnosis {
  if (finding.code !== 'not-set-up') return finding;
  return { ...finding, message: `${label} is installed but not set up. ${finding.message}` };
}

/** Some agents call identical hooks once. Then no event arrives twice, but one removal is not enough. */
function twoScopes(
  { id, label }: Agent,
  contexts: readonly SetupContext[],
  findings: readonly Diagnosis[],
): readonly Diagnosis[] {
  if (contexts.length < 2 || findings.some(({ code }) => code === 'set-up-twice')) return [];
  const [keep, ...others] = contexts.map(({ scope }) => scope);
  return [
    {
      level: 'warning',
      code: 'two-scopes',
      message: `${label} is set up twice: ${[keep, ...others].join(' and ')}.`,
      fix: `Unless you want both, run \`hookline remove ${id} --scope ${others[0]}\`.`,
    },
  ];
}

function distinct(findings: readonly Diagnosis[]): readonly Diagnosis[] {
  return [...new Map(findings.map((one) => [`${one.code}\0${one.message}`, one])).values()];
}
