import * as v from 'valibot';
import { limitText } from '../../approvals/limits.ts';
import { connect } from '../../client/client.ts';
import { recordChange } from '../../client/record-change.ts';
import {
  type Approver,
  addApprover,
  machineGiven,
  readApprovers,
  removeApprover,
} from '../../fleet/approvals/approvers.ts';
import { LONGEST_NAME, shortMachineId } from '../../fleet/machine.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { cellsOf } from '../../terminal/cells.ts';
import { unknownWord, usage } from '../command.ts';
import { paint } from '../output/paint.ts';

interface ApproverOptions {
  readonly 'only-deny'?: boolean;
  readonly once?: boolean;
  readonly name?: string;
  readonly json?: boolean;
}

/** The machines that can answer approvals from here. */
export async function fleetApprovers(
  paths: HomePaths,
  [what = 'list', given]: readonly (string | undefined)[],
  options: ApproverOptions,
  by: string,
): Promise<number> {
  if (what !== 'list' && what !== 'add' && what !== 'remove')
    throw unknownWord('fleet', what, ['list', 'add', 'remove']);
  if (what !== 'list') {
    if (given === undefined) throw usage('fleet', 'Missing machine. Pass its name, ID or public key.');
    if (what === 'add') await add(paths, given, options, by);
    else await remove(paths, given, by);
    await (await connect(paths))?.post('/api/fleet/reload');
  }
  return list(paths, options.json ?? false);
}

function list(paths: HomePaths, json: boolean): number {
  const known = readApprovers(paths);
  const width = Math.max(0, ...known.map(({ name }) => cellsOf(name)));
  for (const one of known) console.log(json ? JSON.stringify(one) : lineOf(one, width));
  if (known.length === 0 && !json)
    console.log(
      'No other machine can answer approvals here. Run `hookline fleet approvers add <machine>` to add one.',
    );
  return 0;
}

const MAY_WIDTH = 'may allow once'.length;

function lineOf({ machine, name, only, addedBy }: Approver, width: number): string {
  const may = limitText({ only, projects: null });
  const pad = ' '.repeat(width - cellsOf(name));
  return `${paint.bold(name)}${pad}  ${may.padEnd(MAY_WIDTH)}  ${paint.dim(`${machine}, added by ${addedBy}`)}`;
}

async function add(paths: HomePaths, given: string, options: ApproverOptions, by: string): Promise<void> {
  if (options['only-deny'] && options.once)
    throw usage('fleet', 'Use either --only-deny or --once, not both.');
  const id = machineGiven(given);
  const { machine, name } =
    id === null
      ? await machineNamed(paths, given)
      : { machine: id, name: options.name?.trim().slice(0, LONGEST_NAME) || shortMachineId(id) };
  const only = options['only-deny'] ? 'deny' : 'once';
  addApprover(paths, { machine, name, only, addedBy: by });
  const may = limitText({ only, projects: null });
  await recordChange(paths, 'fleet', by, `let the machine ${name} (${machine}) answer here: it ${may}`);
}

const there = v.object({ machines: v.array(v.object({ id: v.string(), name: v.string() })) });

/** A machine that is connected now. */
async function machineNamed(paths: HomePaths, given: string): Promise<Pick<Approver, 'machine' | 'name'>> {
  const client = await connect(paths);
  const { machines } = client ? v.parse(there, await client.get('/api/fleet/machines')) : { machines: [] };
  const fitting = machines.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  const [found, another] = fitting;
  if (found && !another) return { machine: found.id, name: found.name };
  throw new HooklineError(
    'NOT_FOUND',
    another ? `Several machines are named ${given}.` : `No connected machine is named ${given}.`,
    { hint: 'Pass its ID. `hookline fleet status` on that machine shows it.' },
  );
}

async function remove(paths: HomePaths, given: string, by: string): Promise<void> {
  const id = machineGiven(given);
  const found = readApprovers(paths).filter(({ machine, name }) => machine === id || name === given);
  if (found.length === 0)
    throw new HooklineError('NOT_FOUND', `${given} is not an approver.`, {
      hint: 'Run `hookline fleet approvers` to list them.',
    });
  for (const { machine, name } of found) {
    removeApprover(paths, machine);
    await recordChange(paths, 'fleet', by, `removed the machine ${name} (${machine}) from the approvers`);
  }
}
