import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { plainWorld, shellCall } from '../../test/support/rules/rules.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { createFacts } from './facts.ts';
import { pathPatterns, placeAt, type Touched } from './match/paths.ts';
import { createSessionMemory } from './session/memory.ts';
import { realWorld } from './world/machine.ts';

// What a real shell and a real find make of patterns, against what is said about them without running anything.

let root = '';
const FILES = [
  'a.ts',
  'b.ts',
  '.env',
  '.env.local',
  'id_rsa',
  'key.pem',
  'sub/id_rsa',
  'sub/.env',
  'sub/a.css',
];
FILES.push('sub/deep/key.pem', 'sub/deep/notes.txt', '.hidden/id_rsa', '.hidden/config', 'keys/a.pem');

beforeAll(() => {
  root = realpathSync(scratchFolder());
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), file.includes('notes') ? '' : 'x');
  }
});

const pieces = fc.constantFrom(
  '*',
  '?',
  '.',
  'a',
  'id_',
  'rsa',
  'env',
  'key',
  'pem',
  '[ab]',
  'sub',
  '.e',
  'ts',
);
const name = fc.array(pieces, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
const globs = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'))
  .filter((glob) => /[*?[]/.test(glob) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(glob) && !glob.includes('**'));
const wanted = fc.constantFrom(
  ...['**/id_rsa', '**/.env', '**/.env.*', '**/*.pem', 'sub/**', 'sub/*', '.hidden/**', '*.ts', 'key*'],
  ...['**/deep/**', 'sub/deep/key.pem', '**/sub/.env'],
);

const plain = () => ({ home: '/nowhere', project: root, real: (path: string) => path, expand: () => null });
const matches = (pattern: string, path: string) =>
  pathPatterns([pattern]).touch(placeAt(path), plain()) !== null;

function expandedBy(shell: string, patterns: readonly string[]): string[][] {
  const script = patterns
    .map((glob) => `for f in ${glob}; do [ -e "$f" ] && echo "$f"; done; echo --`)
    .join('\n');
  const output = execFileSync(shell, ['-c', script], { cwd: root, encoding: 'utf8' });
  return output
    .split('--\n')
    .slice(0, -1)
    .map((block) => block.split('\n').filter((line) => line !== ''));
}

test('globs: what is certain is true, and what is true is at least possible', () => {
  const cases = fc.sample(fc.tuple(globs, wanted), { numRuns: 600, seed: 7 });
  const truth = expandedBy(
    'bash',
    cases.map(([glob]) => glob),
  );
  for (const [at, [glob, pattern]] of cases.entries()) {
    const found = (truth[at] ?? []).map((path) => join(root, path));
    const given: Touched = { ...placeAt(join(root, glob)), glob: true };
    const level = pathPatterns([pattern]).touch(given, plain());
    const hits = found.filter((path) => matches(pattern, path));
    if (hits.length > 0) expect(level, `${glob} comes to ${hits} of ${pattern}`).not.toBe(null);
    if (level === 'certain') expect(hits, `${glob} and ${pattern}`).toEqual(found);
  }
});

test('globs on the disk: what is said is exactly what the shell would do', () => {
  const cases = fc.sample(fc.tuple(globs, wanted), { numRuns: 600, seed: 8 });
  const truth = expandedBy(
    'bash',
    cases.map(([glob]) => glob),
  );
  const world = {
    ...plainWorld,
    ...realWorld(
      () => ({}),
      () => false,
    ),
  };
  for (const [at, [glob, pattern]] of cases.entries()) {
    const facts = createFacts(shellCall(`cat ${glob}`, root), world, createSessionMemory());
    const [read] = facts.effects().filter(({ access }) => access === 'read');
    if (!read?.touched.glob) continue;
    const hits = (truth[at] ?? []).filter((path) => matches(pattern, join(root, path)));
    const level = pathPatterns([pattern]).touch(read.touched, { ...facts.scope(), project: root });
    // A pattern without matches has no effect.
    if (truth[at]?.length === 0) continue;
    expect(level !== null, `${glob} comes to ${hits} of ${pattern}, said ${level}`).toBe(hits.length > 0);
  }
});

const primary = fc.oneof(
  fc
    .constantFrom('*.ts', 'id_rsa', '*', '.e*', 'key.pem', '*.pem', 'sub', '[ai]*')
    .map((one) => `-name '${one}'`),
  fc.constantFrom('ID_RSA', '*.TS', '.Env').map((one) => `-iname '${one}'`),
  fc.constantFrom(
    '-type f',
    '-type d',
    '-empty',
    '-size +0',
    '-mtime -1',
    "-path '*sub*'",
    '-maxdepth 1',
    '-true',
  ),
);
const predicate = fc.letrec<{ tests: string }>((tie) => ({
  tests: fc.oneof(
    { maxDepth: 3 },
    primary,
    fc.tuple(tie('tests'), tie('tests')).map(([a, b]) => `${a} ${b}`),
    fc.tuple(tie('tests'), tie('tests')).map(([a, b]) => `${a} -o ${b}`),
    tie('tests').map((a) => `\\( ${a} \\)`),
    tie('tests').map((a) => `! \\( ${a} \\)`),
    fc.tuple(tie('tests'), tie('tests')).map(([a, b]) => `\\( ${a} \\) -prune -o ${b}`),
  ),
})).tests;

test('find: everything that it finds is in what is said to be found', () => {
  const cases = fc.sample(predicate, { numRuns: 200, seed: 9 });
  const script = cases.map((tests) => `find . ${tests} -exec echo {} + 2>/dev/null; echo --`).join('\n');
  const truth = execFileSync('sh', ['-c', script], { cwd: root, encoding: 'utf8' }).split('--\n');
  for (const [at, tests] of cases.entries()) {
    const facts = createFacts(
      shellCall(`find . ${tests} -exec cat {} \\;`, root),
      plainWorld,
      createSessionMemory(),
    );
    const read = facts.effects().filter(({ access }) => access === 'read');
    const found = (truth[at] ?? '').split(/\s+/).filter((line) => line !== '' && line !== '.');
    for (const path of found) {
      const levels = read.map(({ touched }) => pathPatterns([join(root, path)]).touch(touched, plain()));
      expect(levels, `find . ${tests} finds ${path}`).toContainEqual(expect.anything());
    }
  }
});
