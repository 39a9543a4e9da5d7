// What the rules cost a call: with every pack on, with ten and a thousand rules, and on text made to be dear.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../bundle-source.js';
import { median } from './scratch-home.js';

const ROUNDS = 5_000;
const WARM_UP = 3_000;
const HOSTILE_ROUNDS = 5;
const HOSTILE_BYTES = 100_000;

const TYPICAL = [
  'npm test -- --run src/cart',
  'git status --short',
  'git add -A && git commit -m "fix the cart"',
  'cat src/cart.ts | grep total | head -20',
  "sed -i 's/total/sum/' src/cart.ts && npx tsc --noEmit",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l total",
  'rm -rf dist && npm run build 2>&1 | tail -20',
  'cd packages/api && python3 -m pytest -x -q',
];

const fill = (piece, start = '') =>
  start + piece.repeat(Math.floor((HOSTILE_BYTES - start.length) / piece.length));
const HOSTILE = {
  'many substitutions': fill('echo $(rm -rf x); '),
  'nested substitutions': fill('$('),
  'nested quotes': fill('"$(echo ', 'echo '),
  'many files': fill('src/a.ts ', 'cat '),
  'many patterns': fill('src/*/a?b ', 'rm -rf '),
  'one deep pattern': fill('**/*a/', 'rm -rf '),
  braces: fill('{a,b}', 'cat '),
  'a document of substitutions': fill('$(x) ', 'cat <<EOF\n'),
  'one long word': fill('a', 'echo '),
  pipes: fill('cat a | '),
  assignments: fill('A=$A$A; '),
  'a program of assignments': fill('x=1;', "python3 -c '"),
  'a program of one long name': fill('a.', "ruby -e '"),
  'a program of declarations': fill('const a=', "node -e '"),
  'SQL of comments': fill('/*', 'mysql -e "'),
  'one word of many parts': fill('a:', 'git log '),
  'one word of many paths': fill('a/b:', 'zz '),
  'one word of addresses': fill('http://', 'zz '),
};

export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  try {
    const parts = await importSource('test/bench/rules-entry.ts', join(folder, 'bundle'));
    makeProject(join(folder, 'shop'));
    const everything = Object.fromEntries(parts.packNames().map((name) => [name, 'on']));
    const decide = opener(parts, folder)(everything, '');
    console.log(`a typical command with all packs on: ${typical(decide)} µs (target: under 50)`);
    console.log(`the same, when it was never seen before: ${typical(unseen(decide))} µs`);
    scale(opener(parts, folder), Object.fromEntries(parts.packNames().map((name) => [name, 'off'])));
    hostile(decide);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Opens the rules as the engine does, with packs and rules of the user's own. */
function opener(parts, folder) {
  let opened = 0;
  return (packs, rules) => {
    opened += 1;
    const home = join(folder, String(opened));
    mkdirSync(join(home, 'rules'), { recursive: true });
    if (rules !== '') writeFileSync(join(home, 'rules/bench.yaml'), rules);
    const book = parts.openRuleSet({
      folder: join(home, 'rules'),
      trustFile: join(home, 'trust.json'),
      systemFolder: join(home, 'system'),
      packs,
      off: [],
      places: parts.rulePlaces(home),
    });
    const handler = parts.createRulesHandler({
      rulesFor: ({ projectId }) => book.inForce(projectId),
      world: {
        ...parts.realWorld(
          () => ({}),
          () => false,
        ),
        programs: parts.agentPrograms(),
      },
      memory: parts.createSessionMemory(),
      failed: (_, what) => {
        throw new Error(what);
      },
    });
    return (command) => handler.decide(parts.shellCall(command, join(folder, 'shop')));
  };
}

/** Commands are about files that are there: asking for one that is not is another matter. */
function makeProject(project) {
  for (const path of ['src', 'dist', 'packages/api', 'node_modules'])
    mkdirSync(join(project, path), { recursive: true });
  for (const path of ['package.json', 'src/cart.ts']) writeFileSync(join(project, path), '');
}

function typical(decide) {
  return median(TYPICAL.map((command) => microseconds(() => decide(command)))).toFixed(1);
}

/** Commands that are run again are remembered: here none is the same as another. */
function unseen(decide) {
  let number = 0;
  return (command) => {
    number += 1;
    return decide(
      command.replaceAll('cart', `cart${number}`).replaceAll(/^(?!.*cart)(.*)/gs, `$1 #${number}`),
    );
  };
}

function microseconds(call) {
  for (let round = 0; round < WARM_UP; round += 1) call();
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    call();
    times.push(Number(process.hrtime.bigint() - start) / 1_000);
  }
  return median(times);
}

function scale(open, noPacks) {
  const rules = (count) =>
    `rules:\n${Array.from({ length: count }, (_, at) => `  - { id: r${at}, ${KINDS[at % KINDS.length](at)}, deny: no }`).join('\n')}\n`;
  const few = Number(typical(open(noPacks, rules(10))));
  const many = Number(typical(open(noPacks, rules(1_000))));
  console.log(
    `the same with 10 rules of the user's own: ${few} µs, with 1000: ${many} µs, ${(many / few).toFixed(2)} times`,
  );
}

/** Rules as people have many of them: about programs, and about what programs do. */
const KINDS = [
  (at) => `command: program-${at} --force`,
  (at) => `command: tool-${at} delete *`,
  (at) => `effects: resource system-${at} destructive`,
  (at) => `command: kubectl --namespace=n${at} delete`,
];

/** The first text of its kind meets code that was never run; those after it are what such texts cost from then on. */
function hostile(decide) {
  const worst = { cold: 0, warm: 0 };
  for (const [name, command] of Object.entries(HOSTILE)) {
    const times = Array.from({ length: HOSTILE_ROUNDS }, () => {
      const start = process.hrtime.bigint();
      decide(command);
      return Number(process.hrtime.bigint() - start) / 1e6;
    });
    const [cold, ...others] = times;
    const warm = median(others);
    worst.cold = Math.max(worst.cold, cold);
    worst.warm = Math.max(worst.warm, warm);
    console.log(`100 KB of ${name}: ${cold.toFixed(1)} ms the first time, then ${warm.toFixed(1)} ms`);
  }
  console.log(
    `the worst of them: ${worst.cold.toFixed(1)} ms the first time, then ${worst.warm.toFixed(1)} ms (target: 50)`,
  );
}
