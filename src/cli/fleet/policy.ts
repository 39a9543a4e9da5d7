import { LONGEST_NAME, shortMachineId } from '../../fleet/machine.ts';
import { readMachines } from '../../fleet/machines/follow-machines.ts';
import type { ReportedMachine } from '../../fleet/machines/report.ts';
import { activePolicy } from '../../fleet/policy/active-policy.ts';
import type { PolicyDocument, PolicySet, Target } from '../../fleet/policy/document.ts';
import { percentOf } from '../../fleet/policy/target.ts';
import type { HomePaths } from '../../home/paths.ts';
import { messageOf } from '../../model/errors.ts';
import { minuteOf, oneLine } from '../../model/text.ts';
import { cellsOf } from '../../terminal/cells.ts';
import { paint } from '../output/paint.ts';
import { joinedSettings, withFleet } from './session.ts';

/** Shows the active policy, here and on each machine. */
interface ShownPolicy {
  readonly trusts: boolean;
  /** Why the stored policy can't be used. */
  readonly problem: string | null;
  readonly inForce: PolicyDocument | null;
  readonly machines: readonly ReportedMachine[];
  /** Why the machines are unknown. */
  readonly machinesProblem: string | null;
}

export async function fleetPolicy(paths: HomePaths): Promise<ShownPolicy> {
  const settings = joinedSettings(paths);
  const here = activePolicy(paths);
  const found = await withFleet(paths, (session) => readMachines(session, session.names)).then(
    (machines) => ({ machines: machines.list(), machinesProblem: null }),
    (error: unknown) => ({ machines: [], machinesProblem: messageOf(error) }),
  );
  return {
    trusts: settings.policyKey !== null,
    problem: 'problem' in here ? here.problem : null,
    inForce: 'document' in here ? here.document : null,
    ...found,
  };
}

export function policyLines(shown: ShownPolicy): readonly string[] {
  const { trusts, problem, inForce, machines, machinesProblem } = shown;
  const here = !trusts
    ? paint.yellow('This machine trusts no policy key. Run `hookline fleet trust <key>`.')
    : problem !== null
      ? paint.red(`The policy can't be used here: ${problem}.`)
      : inForce === null
        ? 'No policy is active here.'
        : `${paint.bold(`version ${inForce.version}`)}  published ${minuteOf(Date.parse(inForce.createdAt))}${inForce.restores === null ? '' : `, same rules as version ${inForce.restores}`}`;
  return [
    here,
    ...(inForce?.sets ?? []).map((set) => `  ${setLine(set)}`),
    ...(machinesProblem === null ? [] : [paint.yellow(`Other machines are unknown: ${machinesProblem}`)]),
    ...machineLines(machines, inForce?.sets ?? []),
  ];
}

export function setLine({ target, files, percent, observe }: PolicySet): string {
  const how = [...(percent < 100 ? [`${percent}% of machines`] : []), ...(observe ? ['observe mode'] : [])];
  return `${targetText(target)}: ${Object.keys(files).join(', ')}${how.length === 0 ? '' : ` (${how.join(', ')})`}`;
}

function targetText({ groups, repositories, agents }: Target): string {
  const parts = [
    ...(groups.length === 0 ? [] : [`group ${groups.join(', ')}`]),
    ...(repositories.length === 0 ? [] : [`repository ${repositories.join(', ')}`]),
    ...(agents.length === 0 ? [] : [`agent ${agents.join(', ')}`]),
  ];
  return parts.join('; ') || 'all machines';
}

/** Text from another machine, which must not imitate other lines of the output. */
const LONGEST_REASON = 500;

function machineLines(machines: readonly ReportedMachine[], sets: readonly PolicySet[]): readonly string[] {
  const names = machines.map(({ name }) => oneLine(name, LONGEST_NAME));
  const width = Math.max(0, ...names.map(cellsOf));
  return machines.map((machine, at) => {
    const name = names[at] ?? '';
    return `${name}${' '.repeat(width - cellsOf(name))} ${aboutMachine(machine, sets)}`;
  });
}

function aboutMachine({ id, at, policy }: ReportedMachine, sets: readonly PolicySet[]): string {
  const version = policy.version === null ? 'no policy' : `version ${policy.version}`;
  const trouble = policy.refused ?? (policy.trusts ? null : { why: 'trusts no policy key' });
  const cells = [
    paint.dim(shortMachineId(id)),
    version,
    `seen ${minuteOf(Date.parse(at))}`,
    ...shareText(id, sets),
    ...(trouble === null ? [] : [paint.yellow(oneLine(trouble.why, LONGEST_REASON))]),
  ];
  return cells.join('  ');
}

/** For a partial rollout: whether this machine is included. */
function shareText(id: string, sets: readonly PolicySet[]): readonly string[] {
  const parts = new Set(sets.map(({ percent }) => percent).filter((percent) => percent < 100));
  return [...parts].map((percent) =>
    paint.dim(
      percentOf(id) < percent
        ? `in the ${percent}%`
        : `not in the ${percent}% (included from ${Math.floor(percentOf(id)) + 1}%)`,
    ),
  );
}
