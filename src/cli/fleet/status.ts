import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { connect } from '../../client/client.ts';
import { readFleetSettings } from '../../fleet/settings.ts';
import type { HomePaths } from '../../home/paths.ts';
import { counted, minuteOf } from '../../model/text.ts';
import { paint } from '../output/paint.ts';

const part = v.looseObject({ problem: v.nullable(v.string()) });
const said = v.variant('joined', [
  v.object({ joined: v.literal(false), problem: v.nullable(v.string()) }),
  v.object({
    joined: v.literal(true),
    servers: v.array(v.string()),
    team: v.string(),
    machine: v.object({ id: v.string(), name: v.string() }),
    connected: v.boolean(),
    since: v.string(),
    server: v.nullable(v.string()),
    problem: v.nullable(v.string()),
    parts: v.record(v.string(), part),
  }),
]);

/** What the daemon reports about its fleet; without a daemon, what the settings say. */
export type ShownStatus =
  | v.InferOutput<typeof said>
  | {
      readonly joined: true;
      readonly servers: readonly string[];
      readonly team: string;
      readonly daemon: false;
    };

export async function fleetStatus(paths: HomePaths): Promise<ShownStatus> {
  const client = await connect(paths);
  if (client) return v.parse(said, await client.get('/api/fleet'));
  const settings = readFleetSettings(paths);
  if (settings === null) return { joined: false, problem: null };
  return { joined: true, servers: settings.servers, team: settings.team, daemon: false };
}

const TRIES = 30;
const TRY_MS = 100;

/** The daemon needs a moment to connect after joining. The status is also shown if it fails. */
export async function settledStatus(paths: HomePaths): Promise<ShownStatus> {
  let status = await fleetStatus(paths);
  for (let tries = 0; tries < TRIES && isConnecting(status); tries += 1) {
    await setTimeout(TRY_MS);
    status = await fleetStatus(paths);
  }
  return status;
}

function isConnecting(status: ShownStatus): boolean {
  return status.joined && !('daemon' in status) && !status.connected && status.problem === null;
}

export function statusLines(status: ShownStatus): readonly string[] {
  if (!status.joined)
    return [status.problem ?? 'This machine is not in a fleet. Run `hookline fleet join <url>` to join one.'];
  const where = `${paint.bold(status.team)}  ${status.servers.join(', ')}`;
  if ('daemon' in status)
    return [where, 'The daemon is not running, so nothing is sent. Run `hookline up` to start it.'];
  const { machine, connected, since, problem, parts } = status;
  const at = minuteOf(Date.parse(since));
  return [
    where,
    line('machine', `${machine.name} ${paint.dim(machine.id)}`),
    line(
      'server',
      connected
        ? `${paint.green('connected')} since ${at}`
        : `${paint.yellow('not connected')} since ${at}${problem ? `: ${problem}` : ''}. Hookline keeps retrying and loses no events.`,
    ),
    ...Object.entries(parts).flatMap(([name, one]) => partLine(name, one)),
  ];
}

const NAME_WIDTH = 11;
const line = (name: string, about: string) => `${name.padEnd(NAME_WIDTH)}${about}`;

/** Null if everything works. */
function partLine(name: string, one: v.InferOutput<typeof part>): readonly string[] {
  const about = partText(one);
  const copy = typeof one.copy === 'string' ? `another home sends as this machine: ${one.copy}` : null;
  const said = [about, copy, one.problem && `retrying: ${one.problem}`].filter(Boolean).join('; ');
  if (said === '') return [];
  return [line(name, one.problem === null && copy === null ? said : paint.yellow(said))];
}

function partText({
  sent,
  waiting,
  approvers,
  elsewhere,
  trusts,
  version,
}: Record<string, unknown>): string | null {
  if (typeof sent === 'number' && typeof waiting === 'number')
    return `${sent} sent, ${counted(waiting, 'record')} to go`;
  if (typeof approvers === 'number' && typeof elsewhere === 'number')
    return `${counted(approvers, 'machine')} can answer here, ${elsewhere} pending elsewhere`;
  if (trusts === false) return 'the fleet policy does not apply here: `hookline fleet trust <key>`';
  if (trusts === true)
    return typeof version === 'number' ? `policy version ${version}` : 'nothing published yet';
  return null;
}
