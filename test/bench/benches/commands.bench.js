// How long people wait for a command and what it takes of the processor, beside a Node that does nothing. The commands
// take turns, so that a busy machine is busy for all of them. With `--against` also those of
// an earlier build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, ratioAtMost } from '../figures.js';
import { earlierBuild } from '../processes/earlier-build.js';
import { timed } from '../processes/processor.js';
import { askInTurn, openScratchHome, root } from '../processes/scratch-home.js';

const ROUNDS = 20;
const QUICK_ROUNDS = 7;
const COMMANDS = [
  ['--version'],
  ['--help'],
  ['status'],
  ['why', 'bench-191'],
  ['events', '--limit', '20'],
  // One line: what a first judgement takes, the fallback's as well.
  ['try', '--batch'],
];
const INPUTS = { try: '{"tool":"Bash","input":{"command":"npm test"},"cwd":"/home/dev/shop"}\n' };
const TARGETS = {
  '--version': ratioAtMost(1.3),
  '--help': ratioAtMost(1.3),
  status: ratioAtMost(5),
  events: ratioAtMost(5),
  try: ratioAtMost(8),
};
const FORWARDER_TARGET = ratioAtMost(1.15);

const rules = "rules: [{ id: no-publish, command: 'npm publish', deny: 'CI publishes.' }]\n";

const callOf = (sent) => ({
  agent: 'claude',
  payload: {
    session_id: `s-${sent % 5}`,
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: sent % 10 === 0 ? 'npm publish' : `npm test -- ${sent}` },
    tool_use_id: `toolu_${sent}`,
  },
});

export async function run({ quick, against }) {
  const base = against === undefined ? null : earlierBuild(against);
  if (base?.missing !== undefined) throw new Error(base.missing);
  // Each with a daemon and a history of its own: an older one may not read those of a newer one.
  const programs = [...(base ? [[base.commit.slice(0, 8), base.folder]] : []), ['hookline', root]].map(
    ([label, folder]) => ({
      label,
      folder,
      home: openScratchHome(rules, true, folder),
    }),
  );
  try {
    for (const { home } of programs) await askInTurn(home.daemon.socket, 'bench', 200, callOf);
    const empty = { name: 'node -e 0', args: ['-e', '0'], env: programs[0].home.env, times: [] };
    const runs = [
      ...COMMANDS.flatMap((command) => programs.map((program) => runOf(command, program))),
      ...programs.map(forwarderOf),
    ];
    for (let round = 0; round <= (quick ? QUICK_ROUNDS : ROUNDS); round += 1)
      for (const one of [empty, ...runs]) {
        const took = timed(one);
        // The first round fills the caches.
        if (round > 0) one.times.push(took);
      }
    return [empty, ...runs].flatMap((one) => figuresOf(one, empty));
  } finally {
    for (const { home } of programs) home.close();
  }
}

function runOf(command, { label, folder, home }) {
  return {
    name: `${label} ${command.join(' ')}`,
    args: [join(folder, 'bin/hookline.js'), ...command],
    env: home.env,
    input: INPUTS[command[0]] ?? '',
    target: label === 'hookline' ? TARGETS[command[0]] : undefined,
    times: [],
  };
}

/** What a call costs where there is no native forwarder; the daemon answers. */
function forwarderOf({ label, home }) {
  const { script } = JSON.parse(readFileSync(join(home.home, 'bin/forwarder.json'), 'utf8'));
  return {
    name: `${label} JavaScript forwarder`,
    args: [script, '--home', home.home, 'claude', 'PreToolUse'],
    env: home.env,
    input: JSON.stringify(callOf(1).payload),
    target: label === 'hookline' ? FORWARDER_TARGET : undefined,
    times: [],
  };
}

function figuresOf({ name, times, target }, empty) {
  const middle = (one, part) => median(one.times.map((each) => each[part]));
  const figure = (label, part) => {
    const value = middle({ times }, part);
    const ratio = value / middle(empty, part);
    return { name: label, value, unit: 'ms', ratio, to: empty.name, ...(target ? { target } : {}) };
  };
  const all = [figure(name, 'wall'), { ...figure(`${name}, processor`, 'processor'), isCompared: true }];
  return name === empty.name ? all.map(({ ratio, to, isCompared, ...one }) => one) : all;
}
