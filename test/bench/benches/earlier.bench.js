// What a call costs beside an earlier build of this repository, both measured in turns: processor time and the round trip
// of a forwarder, which counts don't show. The run fails when one of them costs too much more.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, pairedRatio, ratioAtMost } from '../figures.js';
import { inTurns } from '../loads/turns.js';
import { typicalCall } from '../loads/typical-call.js';
import { CALLERS, startCountedDaemon } from '../processes/counted-daemon.js';
import { earlierBuild, PINNED } from '../processes/earlier-build.js';
import { openScratchHome, root } from '../processes/scratch-home.js';
import { missingSpawn, timesOf } from '../processes/spawned.js';

const MOST = 1.25;
const ROUNDS = { daemon: 15, forwarder: 400 };
const QUICK_ROUNDS = { daemon: 7, forwarder: 150 };
const CALLS = { '8 callers': 800, 'one caller with pauses': 100 };
/** Optimized code takes less; after these nearly all of it is. */
const WARM_UP = { name: 'warm-up', callers: 8, pauseMs: 0 };
const WARM_UP_CALLS = 2_000;

/** @param {{ quick: boolean, against?: string }} options */
export async function run({ quick, against }) {
  const build = earlierBuild(against ?? PINNED);
  if ('missing' in build) {
    if (against !== undefined) throw new Error(build.missing);
    console.error(`SKIPPED, nothing is compared with an earlier build: ${build.missing}`);
    return [{ name: 'a call beside an earlier build', skipped: build.missing }];
  }
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  const to = build.commit.slice(0, 8);
  const figure = (name, unit, [before, now]) => {
    const ratio = pairedRatio(now, before);
    return { name, value: median(now), unit, ratio, to, target: ratioAtMost(MOST), isLimit: true };
  };
  // The earlier one first, in all that follows.
  const checkouts = [build.folder, root];
  return [
    ...(await daemons(checkouts, rounds.daemon, figure)),
    forwarders(checkouts, rounds.forwarder, figure),
  ];
}

async function daemons(checkouts, rounds, figure) {
  const started = [];
  try {
    for (const checkout of checkouts) started.push(await startWarm(checkout));
    const figures = [];
    for (const who of CALLERS) {
      const measures = started.map((daemon) => () => processorPerCall(daemon, who));
      const taken = await inTurns(rounds, measures);
      figures.push(figure(`processor per call, ${who.name}`, 'µs', taken));
    }
    for (const daemon of started) daemon.checkStored();
    return figures;
  } finally {
    for (const daemon of started) await daemon.close();
  }
}

async function startWarm(checkout) {
  const daemon = await startCountedDaemon({ checkout });
  await daemon.probe('settle');
  await daemon.call(WARM_UP, WARM_UP_CALLS);
  await daemon.probe('settle');
  return daemon;
}

async function processorPerCall(daemon, who) {
  const calls = CALLS[who.name];
  const before = await daemon.probe('processor');
  await daemon.call(who, calls);
  // Deferred work is part of a call's cost.
  await daemon.probe('settle');
  return (((await daemon.probe('processor')) - before) / calls) * 1_000;
}

function forwarders(checkouts, rounds, figure) {
  const name = 'native forwarder, complete round trip';
  const missing = missingSpawn(checkouts);
  if (missing !== null) return { name, skipped: missing };
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  const homes = [];
  try {
    for (const checkout of checkouts) homes.push(openScratchHome('', true, checkout));
    const input = join(folder, 'payload.json');
    writeFileSync(input, JSON.stringify(typicalCall('forwarded', 0, ['claude']).payload));
    const commands = homes.map(
      ({ env, forwarder }) =>
        `HOME=${env.HOME} HOOKLINE_HOME=${env.HOOKLINE_HOME} ${forwarder} claude PreToolUse`,
    );
    timesOf(50, input, commands, homes[0].env);
    return figure(name, 'ms', timesOf(rounds, input, commands, homes[0].env));
  } finally {
    for (const home of homes) home.close();
    rmSync(folder, { recursive: true });
  }
}
