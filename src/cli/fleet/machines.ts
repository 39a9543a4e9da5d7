import { shortMachineId } from '../../fleet/machine.ts';
import { readMachines } from '../../fleet/machines/follow-machines.ts';
import type { AgentCoverage, ReportedMachine } from '../../fleet/machines/report.ts';
import { isLate, reportedAt } from '../../fleet/machines/report-age.ts';
import type { HomePaths } from '../../home/paths.ts';
import { counted, minuteOf } from '../../model/text.ts';
import { cellsOf } from '../../terminal/cells.ts';
import { folded } from '../../terminal/fold.ts';
import { paint } from '../output/paint.ts';
import { withFleet } from './session.ts';

/** Lists the machines, the agents they guard, and their policy. */
export async function fleetMachines(paths: HomePaths, json: boolean): Promise<number> {
  const machines = await withFleet(paths, (session) => readMachines(session, session.names));
  console.log(
    json
      ? JSON.stringify({ machines: machines.list(), overwritten: machines.overwritten() })
      : [...machineLines(machines.list(), Date.now()), ...overwrittenLines(machines.overwritten())].join(
          '\n',
        ),
  );
  return 0;
}

export function machineLines(machines: readonly ReportedMachine[], now: number): readonly string[] {
  if (machines.length === 0) return ['No machine has reported yet. Each machine reports every minute.'];
  const late = machines.filter((one) => isLate(one, now)).length;
  const width = Math.max(...machines.map(({ name }) => cellsOf(name)));
  return [
    `${counted(machines.length, 'machine')}${late > 0 ? paint.yellow(`, ${late} offline`) : ''}`,
    ...machines.flatMap((one) => linesOf(one, width, now)),
  ];
}

/** Any login of the team can overwrite the report, so the machine may not be at fault. */
function overwrittenLines(ids: readonly string[]): readonly string[] {
  return ids.map((id) =>
    paint.red(
      folded(`${shortMachineId(id)}  invalid report: the newest one isn't signed by this machine`, 2),
    ),
  );
}

function linesOf(machine: ReportedMachine, width: number, now: number): readonly string[] {
  const { id, name, policy, agents, waiting = 0, hookline } = machine;
  const seen = isLate(machine, now)
    ? paint.yellow(`offline, last report ${minuteOf(reportedAt(machine))}`)
    : paint.green('online');
  const about = [
    seen,
    policy.version === null ? 'no policy' : `policy ${policy.version}`,
    ...(waiting > 0 ? [paint.yellow(`${counted(waiting, 'record')} to send`)] : []),
    paint.dim(`hookline ${hookline}`),
  ];
  const trouble = [
    ...(policy.refused === null ? [] : [`policy rejected: ${policy.refused.why}`]),
    ...(agents ?? []).flatMap((agent) => agent.problems.map((problem) => `${agent.id}: ${problem}`)),
  ];
  const pad = ' '.repeat(width - cellsOf(name));
  return [
    `${paint.bold(name)}${pad} ${paint.dim(shortMachineId(id))}  ${about.join(', ')}`,
    folded(`  ${coverageText(agents)}`, 2),
    ...trouble.map((one) => paint.red(folded(`  ${one}`, 4))),
  ];
}

/** Undefined if its version is too old to report it. */
function coverageText(agents: readonly AgentCoverage[] | undefined): string {
  if (agents === undefined) return paint.dim('agents unknown: its Hookline is older');
  if (agents.length === 0) return paint.dim('no agents');
  return agents.map(agentText).join(', ');
}

function agentText({ id, setUp, problems }: AgentCoverage): string {
  if (!setUp) return `${id} ${paint.yellow('not set up')}`;
  return `${id} ${problems.length === 0 ? paint.green('guarded') : paint.red(counted(problems.length, 'problem'))}`;
}
