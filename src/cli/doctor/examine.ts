import { setTimeout as pause } from 'node:timers/promises';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Scope } from '../../agents/setup/setup.ts';
import { findDaemon, type Presence } from '../../client/presence.ts';
import type { Config } from '../../home/config.ts';
import { configInForce, configInForceOrStrictest } from '../../home/confirmed/in-force.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError, messageOf } from '../../model/errors.ts';
import { setupContext } from '../agents/context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import type { Check, Diagnosis, Examined, Report } from './check.ts';
import { agentCheck } from './checks/agent.ts';
import { alerts } from './checks/alerts.ts';
import { channels } from './checks/channels.ts';
import { config } from './checks/config.ts';
import { confirmed } from './checks/confirmed.ts';
import { daemon } from './checks/daemon.ts';
import { database } from './checks/database.ts';
import { disk } from './checks/disk.ts';
import { forwarder } from './checks/forwarder.ts';
import { hooks } from './checks/hooks.ts';
import { impostor } from './checks/impostor.ts';
import { permissions } from './checks/permissions.ts';
import { phone } from './checks/phone.ts';
import { program } from './checks/program.ts';
import { roundTrip } from './checks/round-trip.ts';
import { rules } from './checks/rules.ts';
import { spool } from './checks/spool.ts';
import { stateFiles } from './checks/state-files.ts';
import { unlock } from './checks/unlock.ts';

const OWN: readonly Check[] = [
  permissions,
  disk,
  config,
  confirmed,
  daemon,
  forwarder,
  impostor,
  program,
  roundTrip,
  database,
  spool,
  stateFiles,
  rules,
  hooks,
  unlock,
  phone,
  channels,
  alerts,
];

/** @param agents those to look at, beside Hookline itself */
export async function examine(
  paths: HomePaths,
  agents: readonly Agent[] = [...AGENTS.values()],
): Promise<readonly Report[]> {
  const examined: Examined = { paths, presence: await presenceIn(paths), ...settingsIn(paths) };
  const reports: Report[] = [{ about: 'hookline', findings: await findingsOf(OWN, examined) }];
  for (const agent of agents)
    reports.push({ about: agent.id, findings: await findingsOf([agentCheck(agent)], examined) });
  return guardsAny(examined) ? reports : withoutGuard(reports);
}

function guardsAny({ paths, config: settings }: Examined): boolean {
  const contextOf = (scope: Scope) => setupContext(paths, scope, [], settings);
  return [...AGENTS.values()].some((agent) => hookedContexts(agent, contextOf).length > 0);
}

/** Leaving one agent unguarded is the user's choice if another one is guarded. If none is, Hookline does nothing. */
function withoutGuard(reports: readonly Report[]): readonly Report[] {
  const [, ...ofAgents] = reports;
  const isInstalled = ({ findings }: Report) => findings.every(({ code }) => code !== 'not-installed');
  const fix = `${ofAgents.some(isInstalled) ? 'Run' : 'Install an agent, then run'} \`hookline setup\`.`;
  const harder = (one: Diagnosis): Diagnosis => {
    if (one.code === 'not-set-up') return { ...one, level: 'problem' };
    if (one.code !== 'forwarder-missing') return one;
    // No agent would call a forwarder that is installed alone, so there is nothing to repair.
    const { repair: _, ...rest } = one;
    return { ...rest, message: 'No agent is set up, so no call is checked.', fix };
  };
  return reports.map(({ about, findings }) => ({ about, findings: findings.map(harder) }));
}

/** One after the other, because several of them start programs. */
async function findingsOf(checks: readonly Check[], examined: Examined): Promise<readonly Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for (const check of checks) findings.push(...(await carefully(check, examined)));
  return findings;
}

/** If one check crashes, the others are still useful. */
async function carefully(check: Check, examined: Examined): Promise<readonly Diagnosis[]> {
  try {
    return await check(examined);
  } catch (error) {
    const hint = error instanceof HooklineError ? error.hint : null;
    return [{ level: 'problem', code: 'check-failed', message: messageOf(error), fix: hint }];
  }
}

const ANSWER_MS = 2_000;
const START_MS = 3_000;
const LOOK_EVERY_MS = 50;

/** A daemon that is starting doesn't answer either. */
async function presenceIn(paths: HomePaths): Promise<Presence> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    const presence = await findDaemon(paths, ANSWER_MS);
    if (presence.kind !== 'silent' || Date.now() > deadline) return presence;
    await pause(LOOK_EVERY_MS);
  }
}

function settingsIn(paths: HomePaths): { config: Config; configProblem: HooklineError | null } {
  try {
    return { config: configInForce(paths), configProblem: null };
  } catch (error) {
    const problem =
      error instanceof HooklineError ? error : new HooklineError('CONFIG_INVALID', messageOf(error));
    return { config: configInForceOrStrictest(paths), configProblem: problem };
  }
}
