// What other callers feel of a tool that answers with 15 MB, once a second. Of text as tools print it, and of one long
// word, which takes longest to look through.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askOnce, openScratchHome, root } from './scratch-home.js';

const CALLERS = 8;
const SECONDS = Number(process.env.HOOKLINE_BENCH_SECONDS ?? 8);
const MEGABYTES = 15;

export async function run() {
  const home = openScratchHome("rules:\n  - { id: r, command: rm, deny: 'no' }\n", false);
  try {
    const { socket } = home.daemon;
    await others(socket, 'warm', 3);
    const texts = { text: sourceText(), 'one long word': 'x'.repeat(MEGABYTES * 1_000_000) };
    for (const [name, text] of Object.entries(texts)) {
      const alone = await others(socket, `alone ${name}`, SECONDS);
      const large = largeCalls(socket, name, text);
      const beside = await others(socket, `beside ${name}`, SECONDS);
      const took = await large.end();
      console.log(
        `${MEGABYTES} MB of ${name}, ${took.length} times, ${Math.round(Math.max(...took))} ms at most`,
      );
      console.log(`  others alone:  p50 ${ms(alone, 0.5)}, p99 ${ms(alone, 0.99)}, worst ${ms(alone, 1)}`);
      console.log(`  others beside: p50 ${ms(beside, 0.5)}, p99 ${ms(beside, 0.99)}, worst ${ms(beside, 1)}`);
      console.log(`  p99 ${(at(beside, 0.99) / at(alone, 0.99)).toFixed(2)} × (target ≤ 2)`);
    }
  } finally {
    home.close();
  }
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
      if (!chunk.includes('"payload"')) reject(new Error(String(chunk)));
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

function sourceText() {
  const files = ['package-lock.json', 'README.md', 'docs/rules.md', 'src/redact/reader.ts', 'CHANGELOG.md'];
  const text = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return text.repeat(Math.ceil((MEGABYTES * 1_000_000) / text.length)).slice(0, MEGABYTES * 1_000_000 * 0.9);
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

function at(times, part) {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
}

function ms(times, part) {
  return `${at(times, part).toFixed(1)} ms`;
}
