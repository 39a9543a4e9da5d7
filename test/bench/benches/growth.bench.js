// How the cost of a call grows with the number of rules and the size of its command: processor time and bytes allocated, in
// turns. Rules that say nothing of a call should cost it nothing; a command costs in proportion to its size.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, pairedRatio, ratioAtMost } from '../figures.js';
import { manyRules } from '../loads/many-rules.js';
import { inTurns } from '../loads/turns.js';
import { typicalText } from '../loads/typical-text.js';
import { startCountedDaemon } from '../processes/counted-daemon.js';

const ROUNDS = 7;
const QUICK_ROUNDS = 3;
const FLAT = ratioAtMost(1.5);
/** Warming up takes as many calls as this many rounds. */
const WARM_UP_ROUNDS = 4;
/** Measured parts of each call, with units. */
const PARTS = { processor: 'µs', bytes: 'bytes' };

const RULES = [10, 1_000, 10_000];
/** A file of rules may have 512 KB. */
const RULES_A_FILE = 1_000;
const CALLS = 400;

/** Characters of a command, and how many calls are made with such commands at a time. */
const SIZES = { 100: 320, 1000: 320, 10000: 80, 100000: 24 };
const TEXT = typicalText(100_000);
const KINDS = {
  'a list of files': (size, id) => `npx prettier --check ${filled(`src/${id}/`, size)}`,
  'a written file': (size, id) => `cat > src/${id}.md <<'END'\n${TEXT.slice(0, size)}\nEND`,
};

/** @param {{ quick: boolean }} options */
export async function run({ quick }) {
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  return [...(await withRules(rounds)), ...(await withSizes(rounds))];
}

async function withRules(rounds) {
  const daemons = [];
  const caller = callerOf('a list of files', 100);
  try {
    for (const count of RULES) daemons.push(await startWarm([caller], (home) => writeRules(home, count)));
    const costs = await inTurns(
      rounds,
      daemons.map((daemon) => () => costPerCall(daemon, caller, CALLS)),
    );
    for (const daemon of daemons) daemon.checkStored();
    return RULES.flatMap((count, at) => {
      const name = `${count.toLocaleString('en')} rules`;
      return at === 0
        ? figuresOf(name, costs[0])
        : figuresOf(name, costs[at], { of: costs[0], to: `${RULES[0]} rules`, target: FLAT });
    });
  } finally {
    for (const daemon of daemons) await daemon.close();
  }
}

async function withSizes(rounds) {
  const callers = Object.keys(KINDS).flatMap((kind) =>
    Object.keys(SIZES).map((size) => callerOf(kind, Number(size))),
  );
  const daemon = await startWarm(callers);
  try {
    const costs = await inTurns(
      rounds,
      callers.map((caller) => () => costPerCall(daemon, caller, SIZES[caller.size])),
    );
    daemon.checkStored();
    return callers.flatMap(({ name, size }, at) => figuresOf(name, costs[at], beside(size, costs[at - 1])));
  } finally {
    await daemon.close();
  }
}

/** Commands of 1 KB mostly measure other work, so only larger ones are compared. */
function beside(size, smaller) {
  if (size <= 1_000) return {};
  const of = smaller.map((cost) => ({ processor: cost.processor * 10, bytes: cost.bytes * 10 }));
  return { of, to: `10 commands of ${size / 10_000} KB`, target: FLAT };
}

function figuresOf(name, costs, { of, ...more } = {}) {
  return Object.entries(PARTS).map(([part, unit]) => {
    const values = costs.map((cost) => cost[part]);
    const ratio =
      of === undefined
        ? {}
        : {
            ratio: pairedRatio(
              values,
              of.map((cost) => cost[part]),
            ),
          };
    return { name: `${name}, ${part} per call`, value: median(values), unit, ...ratio, ...more };
  });
}

async function startWarm(callers, prepare) {
  const daemon = await startCountedDaemon({ prepare });
  await daemon.probe('settle');
  for (const caller of callers) await daemon.call(caller, SIZES[caller.size] * WARM_UP_ROUNDS, caller.callOf);
  await daemon.probe('settle');
  return daemon;
}

function writeRules(home, count) {
  for (let first = 0; first < count; first += RULES_A_FILE) {
    const rules = manyRules(Math.min(count, RULES_A_FILE), first);
    writeFileSync(join(home, `rules/many-${first}.yaml`), rules);
  }
}

async function costPerCall(daemon, caller, calls) {
  await daemon.probe('startAllocation');
  const before = await daemon.probe('processor');
  await daemon.call(caller, calls, caller.callOf);
  // Deferred work is part of a call's cost.
  await daemon.probe('settle');
  const processor = (((await daemon.probe('processor')) - before) / calls) * 1_000;
  return { processor, bytes: (await daemon.probe('allocatedBytes')) / calls };
}

/** No two of its commands are the same. */
function callerOf(kind, size) {
  const callOf = (lane, round) => {
    const command = KINDS[kind](size, `part-${lane.replaceAll(' ', '-')}-${round}`);
    const tool = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu-${lane}-${round}` };
    const payload = {
      session_id: `session-${lane}`,
      cwd: '/home/dev/shop',
      hook_event_name: 'PreToolUse',
      ...tool,
    };
    return { agent: 'claude', payload };
  };
  return {
    name: `${kind}, ${size >= 1_000 ? `${size / 1_000} KB` : `${size} B`}`,
    size,
    callers: 8,
    pauseMs: 0,
    callOf,
  };
}

function filled(folder, size) {
  let text = '';
  for (let at = 0; text.length < size; at += 1) text += `${folder}file-${at}.ts `;
  return text;
}
