import type { Client } from '../sandbox/client.ts';
import type { Finished } from '../sandbox/process.ts';
import type { Step } from '../sandbox/script.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { type Check, eventsOf, type Mismatch, playedTurn } from './check.ts';
import type { Plan, Scene } from './scene.ts';

const PROMPT = 'Do what the script says.';

/** The scene in which these checks share one turn. */
export function planOf(client: Client, checks: readonly Check[]): Plan {
  const rules = checks.flatMap((check) => check.rules);
  return {
    // A file of ours in the place of one that a check has prepared would leave nothing to be tried.
    ...(rules.length > 0 && { rules: JSON.stringify({ rules }) }),
    script: ({ project }) => scriptOf(client, checks, project),
    config: Object.assign({}, ...checks.map(({ config }) => config)),
    prepare: async (sandbox) => {
      for (const check of checks) await check.prepare?.(sandbox);
    },
    env: Object.assign({}, ...checks.map(({ env }) => env)),
  };
}

function scriptOf(client: Client, checks: readonly Check[], project: string): readonly Step[] {
  const ending = checks.find((check) => check.ending)?.ending ?? ['Done.'];
  return [...checks.flatMap((check) => check.calls(client, project)), ...ending];
}

/** What a turn with these checks gave. */
export interface JudgedTurn {
  readonly finished: Finished;
  /** Hosts other than loopback that were asked for, and refused. */
  readonly wanted: readonly string[];
  readonly events: readonly StoredEvent[];
  /** False where the model had something to say and was never asked: nothing could happen, so nothing is judged. */
  readonly isModelAsked: boolean;
  readonly judged: readonly { readonly check: Check; readonly mismatches: readonly Mismatch[] }[];
}

/** Plays the one turn of the checks in their scene, and judges it for each. */
export async function playChecks(
  scene: Scene,
  client: Client,
  checks: readonly Check[],
  read: typeof eventsOf = eventsOf,
): Promise<JudgedTurn> {
  for (const check of checks) await check.before?.(scene);
  const prompt = checks.find((check) => check.prompt)?.prompt ?? PROMPT;
  const trustShell = checks.some((check) => check.trustShell);
  const finished = await scene.turn(prompt, { trustShell });
  const events = await read(scene, client);
  const ended = { finished, wanted: scene.sandbox.wanted, events };
  const isModelAsked =
    scene.model.requests.length > 0 || scriptOf(client, checks, scene.sandbox.project).length === 0;
  if (!isModelAsked) return { ...ended, isModelAsked, judged: [] };
  let first = 0;
  const judged = checks.map((check) => {
    const turn = playedTurn(scene, client, { finished, events, first });
    first += check.calls(client, scene.sandbox.project).length;
    return { check, mismatches: check.judge(turn) };
  });
  return { ...ended, isModelAsked, judged };
}
