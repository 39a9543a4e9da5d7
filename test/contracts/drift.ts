import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CLIENTS } from '../../src/agents/_clients.ts';
import { AGENTS } from '../../src/agents/_registry.ts';
import { checkAgent } from '../../src/live/check-agent.ts';
import type { AgentReport } from '../../src/live/report.ts';
import { messageOf } from '../../src/model/errors.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { installClient } from '../../src/sandbox/install.ts';
import { asMeasured, type Change, changesBetween } from './changes.ts';

export { driftPage } from './page.ts';

/** What changed in one agent from one version to another. */
export interface Drift {
  readonly agent: string;
  readonly label: string;
  readonly from: string;
  readonly to: string;
  readonly changes: readonly Change[];
  /** Why a version could not be tried. */
  readonly problem: string | null;
}

interface Wanted {
  /** All of them where it is empty. */
  readonly agents: readonly string[];
  /** The two to compare; where there are none, the measured one and the newest. */
  readonly versions: readonly string[];
  say(text: string): void;
}

/** One agent after the other: each of them takes the machine for itself. */
export async function measureDrift({ agents, versions, say }: Wanted): Promise<readonly Drift[]> {
  const ids = agents.length > 0 ? agents : Object.keys(CLIENTS);
  if (versions.length > 0 && (ids.length !== 1 || versions.length !== 2))
    throw new Error('--versions are two, of one agent: --agents A --versions 1.0.0,1.1.0');
  const drifts: Drift[] = [];
  for (const id of ids) {
    const load = CLIENTS[id];
    if (load === undefined)
      throw new Error(`There is no client "${id}": one of ${Object.keys(CLIENTS).join(', ')}.`);
    drifts.push(await driftOf(await load(), versions, say));
  }
  return drifts;
}

async function driftOf(client: Client, versions: readonly string[], say: Wanted['say']): Promise<Drift> {
  const label = AGENTS.get(client.id)?.label ?? client.id;
  const from = versions[0] ?? client.pin.version;
  const to = versions[1] ?? (await newestOf(client.pin.package));
  const drift = { agent: client.id, label, from, to: to ?? 'the newest' };
  // One agent that npm can't find says nothing about the others.
  if (to === null) return { ...drift, changes: [], problem: `npm does not find ${client.pin.package}.` };
  say(`${label}: ${from === to ? `${from} is the newest` : `${from} and ${to}`}`);
  try {
    const before = await reportOf(client, from);
    const changes =
      from === to
        ? changesBetween(asMeasured(before), before)
        : changesBetween(before, await reportOf(client, to));
    return { ...drift, changes, problem: null };
  } catch (error) {
    return { ...drift, changes: [], problem: messageOf(error).split('\n')[0] ?? '' };
  }
}

async function reportOf(client: Client, version: string): Promise<AgentReport> {
  const agent = AGENTS.get(client.id);
  if (!agent) throw new Error(`There is no agent "${client.id}".`);
  const program = await installClient({ ...client.pin, version });
  return checkAgent({ agent, client, program });
}

const run = promisify(execFile);

/** Null where the registry does not know, or cannot be asked. */
async function newestOf(name: string): Promise<string | null> {
  try {
    const { stdout } = await run('npm', ['view', name, 'version']);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
