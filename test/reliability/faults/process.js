// What happens to the process of the daemon and to the files by which it is found.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAnswering } from '../ask.js';
import { makeCall } from '../calls.js';
import { healedAfter, kill, PATIENCE_MS, processesOf, until } from '../home.js';
import { forwarderLane, forwardOne, socketLane } from '../lanes.js';
import { limitOf, slowness } from '../slowness.js';

const CALLERS = 7;
/** Without them, nothing would be shown by what happens to the daemon. */
const FEWEST_CALLS = 20;
/** What a person would call at once. */
const HEALED_MS = 10_000;
const FROZEN_CALL_MS = 1_500;
const HERD = 20;
const HERD_MS = 1_500;

/** Callers over the socket and one that starts forwarders, while something is done to the daemon. */
async function underLoad(home, ledger, name, disturb) {
  let isOver = false;
  const isDone = () => isOver;
  const lanes = Array.from({ length: CALLERS }, (_, lane) =>
    socketLane(home, ledger, `${name}-${lane}`, isDone),
  );
  lanes.push(forwarderLane(home, ledger, `${name}-forwarder`, isDone));
  try {
    return await disturb();
  } finally {
    isOver = true;
    await Promise.all(lanes);
  }
}

/** Lets callers work for a while, and on a busy machine for as long as so many calls take. */
async function work(ledger, ms) {
  const enough = ledger.calls + FEWEST_CALLS;
  await pause(ms);
  await until(() => ledger.calls >= enough, PATIENCE_MS);
}

/** @type {import('../fault.js').Fault} */
export const killed = {
  name: 'kill -9 under load',
  async run({ home, ledger, random, short }) {
    const limit = limitOf(HEALED_MS, slowness());
    const healed = await underLoad(home, ledger, 'kill', async () => {
      const times = [];
      for (let time = 0; time < (short ? 2 : 12); time += 1) {
        await work(ledger, 500 + random(1_500));
        kill(home.pid(), 'SIGKILL');
        times.push(await healedAfter(home, performance.now(), 2 * limit.ms));
      }
      return times;
    });
    return { healed, passed: healed.every((seconds) => seconds !== null && seconds <= limit.ms / 1_000) };
  },
};

/** @type {import('../fault.js').Fault} */
export const frozen = {
  name: 'SIGSTOP: the daemon hangs',
  async run({ home, ledger, short }) {
    const pid = home.pid();
    const limit = limitOf(FROZEN_CALL_MS, slowness());
    for (let number = 1; number <= 5; number += 1)
      await forwardOne(home, ledger, makeCall(`before-${number}`, number));
    const start = performance.now();
    kill(pid, 'SIGSTOP');
    const times = [];
    for (let number = 1; number <= (short ? 3 : 10); number += 1)
      times.push(await forwardOne(home, ledger, makeCall(`frozen-${number}`, number)));
    const seconds = await healedAfter(home, start, 15_000);
    kill(pid, 'SIGCONT');
    const slowest = Math.max(...times);
    return {
      healed: [seconds],
      remark: `the time runs from the stop until a new daemon answers, looked for after the calls; slowest call ${(slowest / 1_000).toFixed(1)} s (${limit.text}), those after the first ${(Math.max(...times.slice(1)) / 1_000).toFixed(1)} s or less`,
      passed: slowest <= limit.ms && seconds !== null,
    };
  },
};

/** @type {import('../fault.js').Fault} */
export const socketDeleted = {
  name: 'the socket is deleted under the daemon',
  run: ({ home, ledger }) =>
    underLoad(home, ledger, 'socket', async () => {
      await work(ledger, 500);
      const limit = limitOf(HEALED_MS, slowness());
      const start = performance.now();
      rmSync(home.socket);
      const seconds = await healedAfter(home, start, 2 * limit.ms);
      await work(ledger, 500);
      return { healed: [seconds], passed: seconds !== null && seconds <= limit.ms / 1_000 };
    }),
};

/** @type {import('../fault.js').Fault} */
export const noteDeleted = {
  name: '`daemon.json` is deleted under the daemon',
  async run({ home, ledger }) {
    const before = home.pid();
    rmSync(join(home.path, 'run/daemon.json'));
    const start = performance.now();
    for (let number = 1; number <= 10; number += 1)
      await forwardOne(home, ledger, makeCall(`note-${number}`, number));
    const up = await home.hookline('up');
    const status = await home.hookline('status', '--json');
    const after = JSON.parse(status.stdout || '{}').daemon?.pid ?? null;
    const down = await home.hookline('down', '--as-script');
    const isGone = await until(async () => !(await isAnswering(home.socket)), 10_000);
    return {
      healed: [(performance.now() - start) / 1_000],
      remark: `up exits with ${up.code}, down with ${down.code}; the same daemon: ${after === before ? 'yes' : 'no'}`,
      passed: up.code === 0 && after === before && down.code === 0 && isGone,
    };
  },
};

/** @type {import('../fault.js').Fault} */
export const herd = {
  name: `${HERD} forwarders at once, and no daemon`,
  async run({ home, ledger, short }) {
    const limit = limitOf(HERD_MS, slowness());
    const rounds = [];
    let most = 0;
    for (let round = 0; round < (short ? 1 : 5); round += 1) {
      await home.stop();
      const calls = Array.from({ length: HERD }, (_, at) => makeCall(`herd-${round}-${at + 1}`, at + 1));
      const start = performance.now();
      await Promise.all(calls.map((call) => forwardOne(home, ledger, call)));
      rounds.push((performance.now() - start) / 1_000);
      await until(() => isAnswering(home.socket), 20_000);
      most = Math.max(
        most,
        processesOf(home.folder).filter(({ command }) => / daemon\b/.test(command)).length,
      );
    }
    const last = Math.max(...rounds);
    return {
      healed: rounds,
      remark: `last answer after ${last.toFixed(1)} s (${limit.text}); daemons afterwards: ${most}`,
      passed: last * 1_000 <= limit.ms && most === 1,
    };
  },
};
