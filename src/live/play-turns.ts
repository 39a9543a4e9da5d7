import type { Agent } from '../agents/agent.ts';
import { messageOf } from '../model/errors.ts';
import { errorLine, oneLine } from '../model/text.ts';
import type { Client } from '../sandbox/client.ts';
import { DeadlineError, describeFinished, type Finished } from '../sandbox/process.ts';
import type { Check, Mismatch } from './check.ts';
import type { CheckAgentOptions } from './check-agent.ts';
import { EFFECT_CHECKS, FAILURE_CHECKS } from './checks/all.ts';
import { payloadRows } from './payload-rows.ts';
import { type JudgedTurn, planOf, playChecks } from './play-checks.ts';
import { type Row, START, TURN } from './report.ts';
import { hostsWanted, playScene } from './scene.ts';

type Options = CheckAgentOptions & { readonly cache: string };

/** Checks that share a turn: starting a client takes most of the time. */
interface Turn {
  readonly kind: Row['kind'];
  readonly checks: readonly Check[];
}

/** A turn that could not be played to its end says why. */
type Played = Turn & ({ readonly turn: JudgedTurn } | Unplayed);

interface Unplayed {
  readonly problem: string;
  /** `silent`: it ended before it asked the model. `hung`: it did not end. */
  readonly how?: 'silent' | 'hung';
}

/** Each turn that never ends takes its whole time: after so many, nothing else is tried. */
const MOST_HUNG = 2;

const NOT_TRIED = 'not tried, since the client did not end in other turns';

/** Plays every check that applies, and the user's own rules: what came of each. */
export async function playTurns(
  options: Options,
  rules: readonly Check[],
  playOne: typeof play = play,
): Promise<readonly Row[]> {
  const turns = turnsOf(options, rules);
  let [done, total] = [0, turns.length];
  const progress = () => options.onProgress?.(done, total);
  progress();
  let [hung, doesStart] = [0, true];
  const playNext = async (turn: Turn): Promise<Played> => {
    if (hung >= MOST_HUNG) return { ...turn, problem: NOT_TRIED, how: 'hung' };
    const played = await playOne(options, turn);
    if (isHow(played, 'hung')) hung += 1;
    return played;
  };
  const rows = await twoAtATime(turns, async (turn) => {
    if (!doesStart) return { played: [], judged: [] };
    const played = await playNext(turn);
    if (turn === turns[0] && isHow(played, 'silent')) doesStart = false;
    const doubtful = alone(played);
    done += 1;
    total += doubtful.length;
    progress();
    const again = new Map<Check, Played>();
    for (const check of doubtful) {
      again.set(check, await playNext({ kind: turn.kind, checks: [check] }));
      done += 1;
      progress();
    }
    return { played, judged: turn.checks.map((check) => rowOf(check, again.get(check) ?? played)) };
  });
  const played = rows.flatMap((row) => row.played);
  if (!doesStart) return [unstarted(options, played)];
  return [
    ...runRows(options, played),
    // Of turns that did not end no events are known, so none is missing.
    ...(played.every((one) => isHow(one, 'hung'))
      ? []
      : payloadRows(
          options.client,
          played.flatMap((one) => ('turn' in one ? one.turn.events : [])),
        )),
    ...rows.flatMap(({ judged }) => judged),
  ];
}

function isHow(played: Played, how: Unplayed['how']): boolean {
  return 'problem' in played && played.how === how;
}

function turnsOf({ agent, client }: Options, rules: readonly Check[]): readonly Turn[] {
  const [first = [], ...others] = effectTurns(agent, client);
  const turns: readonly Turn[] = [
    { kind: 'effect', checks: first },
    { kind: 'failure', checks: FAILURE_CHECKS.filter((check) => check.applies(agent, client)) },
    ...others.map((checks) => ({ kind: 'effect', checks }) as const),
    { kind: 'rule', checks: rules },
  ];
  return turns.filter(({ checks }) => checks.length > 0);
}

/** What rules can do to a turn of this agent, by the turns that show it. */
export function effectTurns(agent: Agent, client: Client): readonly (readonly Check[])[] {
  const effects = EFFECT_CHECKS.filter((check) => check.applies(agent, client));
  const shared = effects.filter(({ prompt }) => prompt === undefined);
  return [
    shared.filter(({ trustShell }) => trustShell),
    shared.filter(({ trustShell }) => !trustShell),
    ...effects.filter(({ prompt }) => prompt !== undefined).map((check) => [check]),
  ];
}

async function play({ client, program, agent, ...options }: Options, turn: Turn): Promise<Played> {
  const { afterSetup, cache, signal } = options;
  const plan = {
    ...planOf(client, turn.checks),
    cache,
    ...(signal && { signal }),
    ...(afterSetup && { afterSetup }),
  };
  try {
    const played = await playScene(client, program, plan, (scene) => playChecks(scene, client, turn.checks));
    if (played.isModelAsked) return { ...turn, turn: played };
    return { ...turn, problem: whyUnstarted(agent.label, played.finished), how: 'silent' };
  } catch (error) {
    signal?.throwIfAborted();
    const problem = oneLine(messageOf(error), 300);
    return { ...turn, problem, ...(error instanceof DeadlineError && { how: 'hung' }) };
  }
}

/** `Example does not start: exit 1: SyntaxError: …`. */
function whyUnstarted(label: string, { code, stdout, stderr }: Finished): string {
  const said = errorLine(stderr) || errorLine(stdout) || 'it says nothing';
  const what = code === 0 ? 'ends before it asks the model' : 'does not start';
  return oneLine(`${label} ${what}: exit ${code}: ${said}`, 400);
}

/** Of a client that does nothing there is nothing else to tell. */
function unstarted({ agent }: Options, [first]: readonly Played[]): Row {
  const seen = first && 'problem' in first ? first.problem : '';
  return { kind: 'run', name: START, state: 'broken', expected: `${agent.label} starts`, seen };
}

/** What did not hold beside others is tried again without them: one may have ended the turn for the next. */
function alone(played: Played): readonly Check[] {
  if (played.checks.length < 2) return [];
  // One that hung takes no less by itself, and one that was silent says no more.
  if ('problem' in played) return played.how === undefined ? played.checks : [];
  return played.turn.judged.filter(({ mismatches }) => mismatches.length > 0).map(({ check }) => check);
}

function rowOf(check: Check, played: Played): Row {
  const { kind } = played;
  const { name, promise } = check;
  const [first] = mismatchesOf(check, played);
  if (!first) return { kind, name, state: 'holds', expected: promise, seen: promise };
  return { kind, name, state: 'broken', ...first };
}

function mismatchesOf(check: Check, played: Played): readonly Mismatch[] {
  if ('problem' in played) {
    const mismatch = { expected: check.promise, seen: played.problem };
    // Of a turn that did not end, nothing is known about the guards in it. That it did not end has a row of its own.
    return [played.how === 'hung' ? { ...mismatch, state: 'untried' } : mismatch];
  }
  return played.turn.judged.find((one) => one.check === check)?.mismatches ?? [];
}

/** That the client runs at all, and asks for nothing but the model. */
function runRows({ client, agent }: Options, played: readonly Played[]): readonly Row[] {
  const [first] = played;
  const expected = `${agent.label} works with the model on loopback until the turn is done`;
  const hung = played.find((one) => isHow(one, 'hung'));
  const told = hung ?? first;
  const ended = told && 'turn' in told ? told.turn.finished : null;
  const problem = told && 'problem' in told ? told.problem : '';
  const runs: Row =
    ended?.code === 0
      ? { kind: 'run', name: TURN, state: 'holds', expected, seen: expected }
      : {
          kind: 'run',
          name: TURN,
          state: 'broken',
          expected,
          seen: ended ? oneLine(describeFinished(ended), 300) : problem,
        };
  const wanted = played.flatMap((one) => ('turn' in one ? one.turn.wanted : []));
  const hosts = [...new Set(hostsWanted({ wanted }, [client]))];
  if (hosts.length === 0) return [runs];
  const network = { kind: 'run', name: 'network', expected: 'no host but loopback is asked for' } as const;
  return [runs, { ...network, state: 'changed', seen: `refused: ${hosts.join(', ')}` }];
}

/** In their order, two of them at once. */
async function twoAtATime<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  // What one of them still has to clean up is waited for, too.
  const ended = await Promise.allSettled([worker(), worker()]);
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
  return results;
}
