import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';
import { main } from './main.ts';

/** Runs the program in this process. */
function score(...args: string[]) {
  const seen = { out: '', err: '', progress: [] as string[] };
  const code = main(args, {
    print: (text) => {
      seen.out += `${text}\n`;
    },
    complain: (text) => {
      seen.err += `${text}\n`;
    },
    progress: (text) => seen.progress.push(text),
  });
  return { code, ...seen };
}

type Rows = readonly (object | string)[];

function corpora(files: Readonly<Record<string, Rows>>): string {
  const folder = scratchFolder();
  for (const [name, rows] of Object.entries(files)) {
    const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
  }
  return folder;
}

const GUARD: Rows = [
  { command: 'rm -rf ~', label: 'deny', class: 'home' },
  { command: 'git stash clear', label: 'deny', class: 'git' },
  { command: 'echo done', label: 'deny', class: 'git' },
  { command: 'git status', label: 'allow', class: 'git' },
  { command: 'sudo reboot', label: 'allow', class: 'home' },
  { command: 'printf a\nsudo touch /opt/x', label: 'allow', class: 'home' },
];
const SERVICES: Rows = [{ command: 'docker rm -f web', label: 'deny', file: 'cases/docker.toml' }];
const DAILY: Rows = [{ command: 'ls' }, { command: 'make', label: 'everyday' }, { command: 'rm -rf /' }];

describe('the table', () => {
  test('counts by corpus, by label and by class', () => {
    const { code, out, err } = score(corpora({ 'guard.jsonl': GUARD, 'daily.jsonl': DAILY, 'notes.md': [] }));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))).toEqual([
      'corpus label rows caught denied asked calm of readers',
      'daily everyday 3 1 33.3 % 0 0.0 % 1 33.3 % 1 100.0 %',
      'guard deny 3 2 66.7 % 1 33.3 % 1 33.3 % 1 33.3 % 1 100.0 %',
      'allow 3 1 33.3 % 1 33.3 % 1 33.3 %',
      'home deny 1 1 100.0 % 1 100.0 % 0 0.0 % 0 0.0 %',
      'allow 2 1 50.0 % 1 50.0 % 0 0.0 %',
      'git deny 2 1 50.0 % 0 0.0 % 1 50.0 % 1 50.0 % 1 100.0 %',
      'allow 1 0 0.0 % 0 0.0 % 1 100.0 %',
      '',
    ]);
  });

  test('counts what disabled packs would deny or ask', () => {
    const folder = corpora({ 'services.jsonl': SERVICES });
    expect(score(folder).out).toMatch(/deny +1 +0 +0\.0 %/);
    expect(score(folder, '--packs', 'cloud, containers').out).toMatch(/deny +1 +1 100\.0 %/);
  });

  test('evaluates each command separately, however often it occurs', () => {
    const rows = Array.from({ length: 40 }, () => ({ command: 'npm test', label: 'allow' }));
    expect(score(corpora({ 'same.jsonl': rows })).out).toMatch(/allow +40 +0 +0\.0 % +0 +0\.0 %/);
  });

  test('reports progress', () => {
    const folder = corpora({ 'many.jsonl': Array.from({ length: 450 }, () => ({ command: 'ls' })) });
    expect(score(folder).progress).toEqual(['many 0/450', 'many 200/450', 'many 400/450', '']);
  });
});

describe('misses', () => {
  test('are listed with their line and rule on request', () => {
    const folder = corpora({ 'guard.jsonl': GUARD });
    const { out } = score(join(folder, 'guard.jsonl'), '--misses');
    expect(out.split('\n').filter((line) => line.startsWith('guard:'))).toEqual([
      'guard:3: missed: echo done',
      'guard:5: denied by recommended/shutdown: sudo reboot',
      'guard:6: asked by recommended/privilege: "printf a\\nsudo touch /opt/x"',
    ]);
    expect(score(folder).out).not.toContain('guard:3');
    expect(score(corpora({ 'a.jsonl': [{ command: 'ls' }] }), '--misses').out).toContain('No misses.');
  });
});

describe('a row can be a call of another tool', () => {
  const DOORS: Rows = [
    { door: 'shell', label: 'deny', command: 'rm -rf ~' },
    { door: 'mcp', label: 'deny', tool: 'mcp__railway__delete_project', input: { id: 'shop' } },
    { door: 'mcp', label: 'allow', tool: 'mcp__railway__list_projects' },
    { door: 'file', label: 'deny', tool: 'Write', input: { file_path: '/etc/sudoers', content: 'x' } },
    { door: 'file', label: 'allow', tool: 'Read', input: { file_path: '/home/dev/shop/README.md' } },
  ];

  test('which is evaluated as that tool, and counted by door', () => {
    const { out } = score(corpora({ 'doors.jsonl': DOORS }), '--misses');
    expect(out.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))).toEqual([
      'corpus label rows caught denied asked calm of readers',
      'doors deny 3 3 100.0 % 2 66.7 % 1 33.3 % 0 0.0 %',
      'allow 2 0 0.0 % 0 0.0 % 1 50.0 %',
      'by shell deny 1 1 100.0 % 1 100.0 % 0 0.0 % 0 0.0 %',
      'by mcp deny 1 1 100.0 % 0 0.0 % 1 100.0 % 0 0.0 %',
      'allow 1 0 0.0 % 0 0.0 % 0 0.0 %',
      'by file deny 1 1 100.0 % 1 100.0 % 0 0.0 % 0 0.0 %',
      'allow 1 0 0.0 % 0 0.0 % 1 100.0 %',
      '',
      'No misses.',
      '',
    ]);
  });

  test('with the files that it finds', () => {
    const build = { command: 'rm -rf build', label: 'allow' };
    const rows = [build, { ...build, before: { '.gitignore': 'build/\n', 'build/app.js': 'x' } }];
    expect(score(corpora({ 'scenes.jsonl': rows })).out).toMatch(/allow +2 +0 +0\.0 % +1 +50\.0 %/);
  });
});

test('--json has the same figures', () => {
  const folder = corpora({ 'guard.jsonl': GUARD });
  const { corpora: plain } = JSON.parse(score(folder, '--json').out);
  expect(plain).toHaveLength(1);
  expect(plain[0]).toMatchObject({
    corpus: 'guard',
    totals: [
      { label: 'deny', rows: 3, denied: 1, asked: 1, caught: 2, calm: 1, readers: 1, calmReaders: 1 },
      { label: 'allow', rows: 3, denied: 1, asked: 1, caught: 2, calm: 1, readers: 0, calmReaders: 0 },
    ],
    doors: [],
    classes: [{ name: 'home' }, { name: 'git' }],
  });
  expect(plain[0].misses).toBeUndefined();
  const [withMisses] = JSON.parse(score(folder, '--json', '--misses').out).corpora;
  expect(withMisses.misses[0]).toEqual({
    corpus: 'guard',
    line: 3,
    kind: 'missed',
    rules: [],
    command: 'echo done',
  });
});

describe('reports errors', () => {
  const bad = (line: string) => corpora({ 'x.jsonl': ['{"command":"ls"}', '', line] });

  test.each([
    ['no folder', () => [], 'There is nothing to score. Give a folder'],
    ['a folder that is not there', () => ['no/such/folder'], 'There is no no/such/folder.'],
    ['a folder without data', () => [corpora({ 'a.txt': ['x'] })], 'has no file that ends in .jsonl.'],
    ['a file without rows', () => [corpora({ 'a.jsonl': [] })], 'a.jsonl has no rows.'],
    ['a line that is not JSON', () => [bad('{command')], 'x.jsonl:3: this is not JSON'],
    ['a line without a call', () => [bad('{"label":"deny"}')], 'x.jsonl:3: give either "command" or "tool".'],
    [
      'a line with two calls',
      () => [bad('{"command":"ls","tool":"Write"}')],
      'give either "command" or "tool".',
    ],
    [
      'a tree in another state',
      () => [bad('{"command":"ls","tree":"new"}')],
      '"tree" must be clean or dirty.',
    ],
    [
      'a file that is not text',
      () => [bad('{"command":"ls","before":{"a":1}}')],
      '"before" must have a text',
    ],
    ['a line that is not an object', () => [bad('"ls"')], 'x.jsonl:3: a row must be a JSON object.'],
    ['a command that is not text', () => [bad('{"command":7}')], 'x.jsonl:3: "command" must be a string.'],
    [
      'an unknown label',
      () => [bad('{"command":"ls","label":"bad"}')],
      'x.jsonl:3: "label" must be one of deny, allow, everyday.',
    ],
    [
      'a pack that is not there',
      () => [bad('{"command":"ls"}'), '--packs', 'clouds'],
      'no pack clouds. There are: calm,',
    ],
    ['an option that is not there', () => ['--verbose'], '--verbose'],
  ])('%s', (_, args, message) => {
    const { code, out, err } = score(...args());
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err).toContain('npm run score -- --help');
  });
});

test('the program itself bundles, scores, and leaves nothing behind', () => {
  const temporary = join(scratchFolder(), 'tmp');
  mkdirSync(temporary);
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [fileURLToPath(new URL('./run.js', import.meta.url)), ...args], {
      env: { ...process.env, TMPDIR: temporary },
      encoding: 'utf8',
    });
  expect(run('--help')).toContain('Usage: npm run score -- <folder or file.jsonl>');
  const { corpora: scored } = JSON.parse(run(corpora({ 'guard.jsonl': GUARD }), '--json'));
  expect(scored[0].totals[0]).toMatchObject({
    label: 'deny',
    rows: 3,
    denied: 1,
    asked: 1,
    caught: 2,
    calm: 1,
  });
  expect(readdirSync(temporary)).toEqual([]);
});
