import * as v from 'valibot';
import { connect } from '../client/client.ts';
import { readFleetSettings } from '../fleet/settings.ts';
import type { HomePaths } from '../home/paths.ts';
import { counted, minuteOf } from '../model/text.ts';
import { paint } from './paint.ts';

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

/** What the daemon says of its fleet; without one, what the settings say. */
type ShownStatus =
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

export function statusLines(status: ShownStatus): readonly string[] {
  if (!status.joined)
    return [status.problem ?? 'This machine is in no fleet. `hookline fleet join <url>` joins one.'];
  const where = `${paint.bold(status.team)}  ${status.servers.join(', ')}`;
  if ('daemon' in status) return [where, 'No daemon runs, so nothing is sent. `hookline up` starts one.'];
  const { machine, connected, since, problem, parts } = status;
  const at = minuteOf(Date.parse(since));
  return [
    where,
    `machine  ${machine.name} ${paint.dim(machine.id)}`,
    connected
      ? `server   ${paint.green('connected')} since ${at}`
      : `server   ${paint.yellow('not connected')} since ${at}${problem ? `: ${problem}` : ''}. It is tried again; nothing is lost.`,
    ...Object.entries(parts).map(([name, one]) => partLine(name, one)),
  ];
}

function partLine(name: string, one: v.InferOutput<typeof part>): string {
  const { problem, sent, waiting, approvers, elsewhere } = one;
  const counts =
    typeof sent === 'number' && typeof waiting === 'number'
      ? `${sent} sent, ${counted(waiting, 'record')} to go`
      : typeof approvers === 'number' && typeof elsewhere === 'number'
        ? `${counted(approvers, 'machine')} may answer here, ${elsewhere} waiting elsewhere`
        : 'works';
  return `${`${name} `.padEnd(9)}${problem === null ? counts : paint.yellow(`${counts}; tried again: ${problem}`)}`;
}
