// What other callers feel of a tool that answers with 15 MB, once a second. Of text as tools print it, and of one long
// word, which takes longest to look through.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, ratioAtMost } from '../figures.js';
import { typicalText } from '../loads/typical-text.js';
import { askOnce, openScratchHome } from '../processes/scratch-home.js';

const CALLERS = 8;
const SECONDS = 10;
const QUICK_SECONDS = 4;
const WARM_UP_SECONDS = 3;
const MEGABYTES = 15;
const CHARACTERS = MEGABYTES * 1_000_000;

export async function run({ quick }) {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  try {
    const { socket } = home.daemon;
    const seconds = quick ? QUICK_SECONDS : SECONDS;
    await others(socket, 'warm', WARM_UP_SECONDS);
    // Its line breaks and quotes take two characters each in JSON.
    const text = typicalText(CHARACTERS).slice(0, CHARACTERS * 0.9);
    const texts = { text, 'one long word': 'x'.repeat(CHARACTERS) };
    const figures = [];
    for (const [name, text] of Object.entries(texts)) {
      const alone = await others(socket, `alone ${name}`, seconds);
      const large = largeCalls(socket, name, text);
      const beside = await others(socket, `beside ${name}`, seconds);
      figures.push(...figuresOf(`${MEGABYTES} MB of ${name}`, alone, beside, await large.end()));
    }
    return figures;
  } finally {
    home.close();
  }
}

function figuresOf(name, alone, beside, took) {
  const p99 = percentile(beside, 0.99);
  const ratio = p99 / percentile(alone, 0.99);
  const others = { unit: 'ms', to: 'without it', target: ratioAtMost(2) };
  return [
    { name, value: Math.max(...took), unit: 'ms' },
    { name: `${name}, p99 of other callers meanwhile`, value: p99, ratio, ...others },
    { name: `${name}, the longest of them`, value: percentile(beside, 1), unit: 'ms' },
  ];
}

/** Small calls, each on a connection of its own; their times, sorted. */
async function others(socket, name, seconds) {
  const times = [];
  const until = performance.now() + seconds * 1_000;
  const lane = async (number) => {
    for (let sent = 0; performance.now() < until; sent += 1)
      times.push(await askOnce(socket, `${name}-${number}-${sent}`, callOf(number, sent)));
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => lane(number)));
  return times.sort((a, b) => a - b);
}

function largeCalls(socket, name, text) {
  const took = [];
  let ended = false;
  const all = (async () => {
    for (let sent = 0; !ended; sent += 1) {
      took.push(await askLarge(socket, lineOf(`large-${name}-${sent}`, text)));
      await sleep(1_000);
    }
  })();
  return {
    async end() {
      ended = true;
      await all;
      return took;
    },
  };
}

function askLarge(path, line) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const socket = connect(path);
    socket.on('data', (chunk) => {
      if (!chunk.includes(10)) return;
      const isAnswer = chunk.includes('"payload"');
      // A call that waits for a place hears so first.
      if (!isAnswer && chunk.includes('"hold_ms"')) return;
      if (!isAnswer) reject(new Error(String(chunk)));
      socket.destroy();
      resolve(performance.now() - start);
    });
    socket.on('error', reject);
    socket.write(line);
  });
}

let large = null;

/** Made once: only its id is another one each time. */
function lineOf(id, text) {
  if (large?.text !== text) {
    const payload = {
      session_id: 'large',
      cwd: '/home/dev/shop',
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'cat everything' },
      tool_use_id: 'toolu_large',
      tool_response: { stdout: text, stderr: '' },
    };
    large = { text, rest: Buffer.from(`,"agent":"claude","payload":${JSON.stringify(payload)}}\n`) };
  }
  // A time that is none: on a busy machine a call of now may be late.
  const head = JSON.stringify({ request_id: id, ts: 0 });
  return Buffer.concat([Buffer.from(head.slice(0, -1)), large.rest]);
}

/** @returns {{ agent: string, payload: object }} */
function callOf(lane, sent) {
  const payload = {
    session_id: `session-${lane}`,
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `echo ${lane} ${sent}` },
    tool_use_id: `toolu_${lane}_${sent}`,
  };
  return { agent: 'claude', payload };
}
