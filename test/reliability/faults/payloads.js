// What callers send: much at once, and what no client would.

import { percentile } from '../../bench/figures.js';
import { ask } from '../ask.js';
import { decisionOfReply, decisionOfRun, lineOf, makeCall } from '../calls.js';
import { socketLane } from '../lanes.js';
import { createLedger } from '../ledger.js';
import { slowness } from '../slowness.js';

const BIG_BYTES = 15_000_000;
const OTHERS = 4;
/** Others may wait twice as long as without; a delay below this is imperceptible, if Node starts as fast as usual. */
export const UNNOTICED_MS = 25;

/** @type {import('../fault.js').Fault} */
export const big = {
  name: 'tool responses of 15 MB, others call meanwhile',
  async run({ home, ledger, short }) {
    const unnoticed = UNNOTICED_MS * slowness();
    // Before the others begin: they run in this process, and would wait for it.
    const bigCalls = Array.from({ length: short ? 1 : 6 }, (_, at) => bigCall(at + 1));
    const quiet = await othersDuring(
      home,
      'quiet',
      () => new Promise((resolve) => setTimeout(resolve, 2_000)),
    );
    const busy = await othersDuring(home, 'busy', async () => {
      for (const { call, line } of bigCalls) {
        const start = performance.now();
        // The daemon takes a line that is old for given up.
        line.write(String(Date.now()), line.indexOf('"ts":') + '"ts":'.length);
        const reply = await ask(home.socket, call.id, line, 30_000);
        ledger.note(call, decisionOfReply(reply), performance.now() - start);
      }
    });
    for (const { calls } of [quiet, busy])
      for (const [call, decision, ms] of calls) ledger.note(call, decision, ms);
    const limit = Math.max(2 * quiet.p99, unnoticed);
    return {
      remark: `p99 of the others ${busy.p99.toFixed(0)} ms while it lasts, ${quiet.p99.toFixed(0)} ms without (at most twice that, or ${unnoticed.toFixed(0)} ms); worst ${busy.worst.toFixed(0)} ms`,
      passed: busy.p99 <= limit,
    };
  },
};

export function bigCall(number) {
  const call = makeCall(`big-${number}`, 1, {
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: sourceText(number), stderr: '' },
  });
  return { call, line: Buffer.from(lineOf(call)) };
}

export async function othersDuring(home, name, work) {
  const calls = [];
  const own = { note: (...one) => calls.push(one) };
  let isOver = false;
  const lanes = Array.from({ length: OTHERS }, (_, lane) =>
    socketLane(home, own, `${name}-${lane}`, () => isOver),
  );
  await work();
  isOver = true;
  await Promise.all(lanes);
  const times = calls.map(([, , ms]) => ms).sort((a, b) => a - b);
  return { calls, p99: percentile(times, 0.99), worst: times.at(-1) ?? 0 };
}

/** Text as programs print it: lines with words, numbers and signs, no two alike. */
function sourceText(seed) {
  const lines = [];
  for (let size = 0, at = seed; size < BIG_BYTES; at += 7) {
    const line = `  const total${at} = await readItem('shop/cart-${at % 977}.ts', { price: ${at * 3}, tax: 0.19 }); // step ${at}`;
    lines.push(line);
    size += line.length + 2;
  }
  return lines.join('\n');
}

/** New objects each time: what is put into one payload must not be in another. */
const ODD_VALUES = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => '',
  () => '\u0000',
  () => '\ud800',
  () => [],
  () => ({}),
  () => [[[]]],
  () => 'allow',
  () => ({ permissionDecision: 'allow' }),
];

/** @type {import('../fault.js').Fault} */
export const fuzzed = {
  name: 'payloads that no client sends',
  async run({ home, ledger, random, short }) {
    const before = home.pid();
    const heard = createLedger();
    const count = short ? 300 : 20_000;
    let next = 0;
    const lane = async () => {
      while (next < count) {
        next += 1;
        const call = makeCall(`fuzz-${next}`, 1);
        const start = performance.now();
        const reply = await ask(home.socket, '', fuzzedLine(call, random), 2_000);
        heard.note(call, decisionOfReply(reply), performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    for (let number = 1; number <= (short ? 5 : 50); number += 1)
      await fuzzForwarder(home, heard, random, number);
    // Whether they were recorded is not asked here: some have no id to find them by.
    const counted = makeCall('fuzz-end-1', 10);
    const reply = await ask(home.socket, counted.id, lineOf(counted));
    ledger.note(counted, decisionOfReply(reply), 0);
    return {
      calls: heard.calls,
      wronglyAllowed: heard.wronglyAllowed,
      remark: `${heard.calls - heard.failed} got an answer, none an allow; the same daemon: ${home.pid() === before ? 'yes' : 'no'}`,
      passed: home.pid() === before,
    };
  },
};

async function fuzzForwarder(home, heard, random, number) {
  const call = makeCall(`fuzz-forwarder-${number}`, 1);
  const start = performance.now();
  const text = brokenText(JSON.stringify(oddPayload(call.payload, random)), random);
  heard.note(call, decisionOfRun(await home.forward('PreToolUse', text)), performance.now() - start);
}

/** A line with odd values, and in a third of all cases broken as a text, too. */
function fuzzedLine(call, random) {
  const line = lineOf({ ...call, payload: oddPayload(call.payload, random) });
  const end = Buffer.from('\n');
  return random(3) === 0 ? Buffer.concat([brokenText(line.trimEnd(), random), end]) : line;
}

/** Some of its fields are something else, are missing, or are nested deeply. */
function oddPayload(payload, random) {
  const odd = structuredClone(payload);
  for (let times = random(3) + 1; times > 0; times -= 1) {
    const target = random(3) === 0 ? odd.tool_input : odd;
    if (typeof target !== 'object' || target === null) continue;
    const names = Object.keys(target);
    const name = names[random(names.length)] ?? 'extra';
    if (random(4) === 0) delete target[name];
    else target[name] = random(8) === 0 ? nested(random(400)) : ODD_VALUES[random(ODD_VALUES.length)]();
  }
  return odd;
}

function nested(depth) {
  let value = {};
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Bytes are changed, taken out or doubled. */
function brokenText(text, random) {
  const bytes = Buffer.from(text);
  for (let times = random(4) + 1; times > 0; times -= 1) bytes[random(bytes.length)] = random(256);
  const cut = random(bytes.length);
  const broken = [bytes, bytes.subarray(0, cut), Buffer.concat([bytes, bytes.subarray(cut)])][random(3)];
  // A line ends where its sender says.
  return Buffer.from(broken.map((byte) => (byte === 10 ? 32 : byte)));
}
