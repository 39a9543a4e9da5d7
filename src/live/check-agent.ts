import { delimiter, dirname } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { Client } from '../sandbox/client.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { Check, Mismatch } from './check.ts';
import { EFFECT_CHECKS } from './checks/all.ts';
import { planOf, playChecks } from './play-checks.ts';
import type { AgentReport, Row } from './report.ts';
import { playScene } from './scene.ts';

/** What `checkAgent` needs, and what it tells meanwhile. */
export interface CheckAgentOptions {
  readonly agent: Agent;
  readonly client: Client;
  /** The client's own program: a full path. */
  readonly program: string;
  /** How far it is: turns of the client that are done, of all. */
  onProgress?(done: number, total: number): void;
  /** Ends everything that was started, and makes the promise reject. */
  readonly signal?: AbortSignal;
  /** For tests of the checks: spoils what setup has installed in a sandbox. */
  readonly afterSetup?: (sandbox: Sandbox) => Promise<void>;
}

/**
 * Runs a client against a model on loopback, in folders of its own, and finds out whether it does with Hookline's
 * answers what Hookline relies on. Nothing of the user's is read or changed, and nothing is left behind.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentReport> {
  const { agent, client, onProgress } = options;
  const started = performance.now();
  const version = await versionOf(options);
  const turns = turnsOf(EFFECT_CHECKS.filter((check) => check.applies(agent, client)));
  let done = 0;
  const played = await twoAtATime(turns, async (checks) => {
    const turn = await playTurnOf(options, checks);
    done += 1;
    onProgress?.(done, turns.length);
    return turn;
  });
  return {
    agent: agent.id,
    label: agent.label,
    version,
    rows: played.flatMap(({ judged }) => judged.map(({ check, mismatches }) => rowOf(check, mismatches))),
    tookMs: Math.round(performance.now() - started),
  };
}

async function versionOf({ agent, program }: CheckAgentOptions): Promise<string | null> {
  const env = { PATH: [dirname(program), process.env.PATH ?? ''].join(delimiter) };
  const where = { home: '/', cwd: '/', forwarder: '', failClosed: false };
  const { version } = await agent.setup.detect({ env, scope: 'user', ...where });
  return version;
}

/** Checks that fit into one turn, together: starting a client takes most of the time. */
function turnsOf(checks: readonly Check[]): readonly (readonly Check[])[] {
  const shared = checks.filter(({ prompt }) => prompt === undefined);
  return [
    shared.filter(({ trustShell }) => trustShell),
    shared.filter(({ trustShell }) => !trustShell),
    ...checks.filter(({ prompt }) => prompt !== undefined).map((check) => [check]),
  ].filter((turn) => turn.length > 0);
}

interface PlayedChecks {
  readonly events: readonly StoredEvent[];
  readonly judged: readonly { readonly check: Check; readonly mismatches: readonly Mismatch[] }[];
}

async function playTurnOf(
  { client, program, afterSetup }: CheckAgentOptions,
  checks: readonly Check[],
): Promise<PlayedChecks> {
  let played: PlayedChecks = { events: [], judged: [] };
  const plan = { ...planOf(client, checks), ...(afterSetup ? { afterSetup } : {}) };
  await playScene(client, program, plan, async (scene) => {
    played = await playChecks(scene, client, checks);
  });
  return played;
}

function rowOf({ name, promise }: Check, mismatches: readonly Mismatch[]): Row {
  const [first] = mismatches;
  return first
    ? { kind: 'effect', name, state: 'broken', ...first }
    : { kind: 'effect', name, state: 'holds', expected: promise, seen: promise };
}

/** In their order, two of them at once. */
async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
