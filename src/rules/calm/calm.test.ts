import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { calm, EMPTY, isCalm } from '../../../test/support/rules/calm.ts';
import { factsOf, rulesIn, session, shellCall } from '../../../test/support/rules/rules.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { stronger } from '../../model/merge.ts';
import { none } from '../../model/responses.ts';
import type { World } from '../facts.ts';
import { indexRules } from '../rule-index.ts';
import { realWorld } from '../world/machine.ts';

describe('on disk', () => {
  let root = '';
  let project = '';
  let world: World;
  beforeAll(() => {
    root = scratchFolder();
    project = join(root, 'shop');
    mkdirSync(join(project, 'src/inner'), { recursive: true });
    mkdirSync(join(project, 'mixed'));
    mkdirSync(join(project, 'odd'));
    mkdirSync(join(project, 'repo/.git'), { recursive: true });
    mkdirSync(join(root, 'home/.aws'), { recursive: true });
    for (const file of [
      'shop/src/a.ts',
      'shop/src/inner/b.ts',
      'shop/mixed/.env',
      'shop/mixed/a.ts',
      'home/.aws/x',
    ])
      writeFileSync(join(root, file), 'x');
    writeFileSync(join(project, 'odd/--compress-program=x'), '');
    writeFileSync(join(project, 'repo/.git/config'), '[core]\n\tbare = false\n');
    symlinkSync(join(root, 'home/.aws'), join(project, 'out'));
    symlinkSync(join(root, 'home/.aws/x'), join(project, 'src/link.ts'));
    world = {
      ...realWorld(
        () => ({}),
        () => false,
      ),
      home: join(root, 'home'),
    };
  });
  const is = (command: string) => isCalm(command, world, project);

  test('follows links to their targets', () => {
    expect(is('cat src/a.ts')).toBe(true);
    for (const line of [
      'cat src/link.ts',
      'ls out',
      'ls out/',
      'cat out/x',
      'cd out && ls',
      'cat src/*.ts',
      'ls */x',
      'git -C out status',
    ])
      expect(is(line), line).toBe(false);
  });

  test('a directory search is calm if nothing in it is private', () => {
    expect(is('grep -r x src/inner')).toBe(true);
    expect(is('grep -R x src/inner')).toBe(true);
    expect(is('grep -R x src')).toBe(false);
    for (const line of [
      'diff .env b',
      'diff mixed/.env /dev/null',
      'git diff --no-index /dev/null .env',
      'grep -r x .env',
    ])
      expect(is(line), line).toBe(false);
    expect(is('rg x mixed')).toBe(true);
    expect(is('grep -r x mixed')).toBe(false);
    expect(is('rg --hidden x mixed')).toBe(false);
    expect(is('rg x not-there')).toBe(false);
  });

  test('a search reads what it finds and everything below', () => {
    expect(is('find src/inner -type f | xargs cat')).toBe(true);
    expect(is('find src/inner -exec cat {} +')).toBe(true);
    for (const line of [
      'find mixed | xargs cat',
      'find mixed -name "*.ts" -exec cat {} +',
      'find .. | xargs cat',
    ])
      expect(is(line), line).toBe(false);
    mkdirSync(join(project, 'blank'));
    writeFileSync(join(project, 'blank/a b'), '');
    expect(is('find blank -type f | xargs cat')).toBe(false);
    expect(is('find blank -type f -print0 | xargs -0 cat')).toBe(true);
  });

  test('a file named like an option counts as an option', () => {
    expect(is('cd odd && sort -u ./*')).toBe(true);
    expect(is('cd odd && sort -u *')).toBe(false);
    expect(is('cd src && wc -l a*')).toBe(true);
  });

  test('commands after a missing directory run elsewhere', () => {
    expect(is('cd src; cat ../src/a.ts')).toBe(true);
    expect(is('cd no; cat ../home/x')).toBe(false);
  });

  test('git reads are calm unless the repository makes git start programs', () => {
    expect(is('git -C repo status')).toBe(true);
    expect(is('cd repo && git log -p')).toBe(true);
    const config = join(project, 'repo/.git/config');
    for (const text of [
      '[core]\nfsmonitor = ./x',
      '[diff "a"]textconv=x',
      '[filter "x"]\nclean = ./x',
      '[include]\npath = x',
    ]) {
      writeFileSync(config, text);
      expect(is('git -C repo status'), text).toBe(false);
    }
    writeFileSync(config, '[core]\nfsmonitor = false\n');
    expect(is('git -C repo status')).toBe(true);
    mkdirSync(join(project, 'repo/.git/hooks'));
    writeFileSync(join(project, 'repo/.git/hooks/post-index-change'), '');
    expect(is('git -C repo status')).toBe(false);
  });

  test('a directory that looks like a bare repository brings its own settings', () => {
    mkdirSync(join(project, 'bare/objects'), { recursive: true });
    mkdirSync(join(project, 'bare/refs'));
    writeFileSync(join(project, 'bare/HEAD'), 'ref: refs/heads/main');
    expect(is('git -C bare status')).toBe(false);
  });

  test('git skips an empty .git, reads nested repositories, and fetches missing objects', () => {
    mkdirSync(join(project, 'outer/.git'), { recursive: true });
    mkdirSync(join(project, 'outer/inner/.git'), { recursive: true });
    const config = join(project, 'outer/.git/config');
    expect(is('git -C outer/inner status')).toBe(true);
    writeFileSync(config, '[core]\nfsmonitor = ./x');
    expect(is('git -C outer/inner status')).toBe(false);
    writeFileSync(config, '[remote "origin"]\npromisor = true');
    expect(is('git -C outer log -p')).toBe(false);
    writeFileSync(config, '');
    writeFileSync(join(project, 'outer/inner/.git/config'), '[core]\nfsmonitor = ./x');
    expect(is('git -C outer status')).toBe(true);
    const entry = Buffer.alloc(62);
    entry.writeUInt32BE(0o160000, 24);
    const head = Buffer.from([...Buffer.from('DIRC'), 0, 0, 0, 2, 0, 0, 0, 1]);
    writeFileSync(
      join(project, 'outer/.git/index'),
      Buffer.concat([head, entry, Buffer.from('inner\0\0\0')]),
    );
    expect(is('git -C outer status')).toBe(false);
  });

  test('diff follows links', () => {
    expect(is('diff -r src/inner odd')).toBe(true);
    expect(is('diff -r src odd')).toBe(false);
  });
});

describe('with other rules', () => {
  const ALLOW = `- {id: calm, calm: true, allow: true}`;
  const decide = (yaml: string, command: string) =>
    session(
      `rules:\n  ${ALLOW}\n  ${yaml}`,
      EMPTY,
    )(shellCall(command))
      .map(({ response }) => response.decision)
      .reduce(stronger, none().decision);

  test('deny and ask win over auto-allow', () => {
    expect(decide('- {command: ls, ask: why}', 'ls')).toBe('ask');
    expect(decide('- {command: ls, deny: no}', 'ls')).toBe('deny');
    expect(decide('- {command: rm, deny: no}', 'ls')).toBe('allow');
  });

  test('a guarded path is not calm, even if only possibly touched', () => {
    const index = indexRules(rulesIn('rules: [{reads: internal/**, ask: why}]'));
    const facts = (command: string, world: Partial<World>) =>
      factsOf(shellCall(command), { ...EMPTY, ...world }, index.guarded);
    const filesBelow = () => ['/home/dev/project/internal/plan.md'];
    expect(calm?.test(facts('grep -r x .', { filesBelow }))).toBe(false);
    expect(calm?.test(facts('git grep x', { filesBelow }))).toBe(false);
    expect(calm?.test(facts('git grep -e x --cached', { filesBelow }))).toBe(false);
    expect(calm?.test(facts('grep -r x src', {}))).toBe(true);
    expect(calm?.test(facts('git grep -n x', {}))).toBe(true);
    expect(calm?.test(facts('cat internal/plan.md', {}))).toBe(false);
    expect(calm?.test(facts('ls internal', {}))).toBe(true);
  });

  test("nothing is calm while rules can't be read", () => {
    expect(calm?.test(factsOf(shellCall('ls'), EMPTY, null))).toBe(false);
  });

  test('nothing is calm if the project is a home directory or the root', () => {
    for (const project of ['/', '/home', '/home/dev'])
      expect(isCalm('ls', EMPTY, project), project).toBe(false);
  });

  test('lines for another shell are not calm', () => {
    const event = shellCall('ls');
    const tool = { ...event.tool, name: 'PowerShell' };
    expect(calm?.test(factsOf({ ...event, tool }, EMPTY))).toBe(false);
  });

  test('an unusual run option is not calm', () => {
    expect(isCalm('ls', { ...EMPTY, runOptions: () => ({ dangerouslyDisableSandbox: true }) })).toBe(false);
  });
});

describe('built-in tools', () => {
  const toolCall = (name: string, input: Record<string, unknown>, mcp = null) => {
    const event = shellCall('');
    return {
      ...event,
      tool: { ...event.tool, name, nativeName: name, kind: 'read' as const, command: null, input, mcp },
    };
  };
  const is = (name: string, input: Record<string, unknown>, world = EMPTY) =>
    calm?.test(factsOf(toolCall(name, input), world));

  test.each([
    ['Read', { file_path: '/home/dev/project/src/a.ts', limit: 5 }, true],
    ['Read', { file_path: '/home/dev/project/.env' }, false],
    ['Read', { file_path: '/home/dev/other/a.ts' }, true],
    ['Read', { file_path: '/home/dev/a.ts' }, false],
    ['Read', { file_path: 'src/a.ts', zz: 1 }, false],
    ['Read', {}, false],
    ['Read', { paths: ['src'] }, false],
    ['Grep', { pattern: 'x', path: 'src', '-n': true, glob: '*.ts' }, true],
    ['Grep', { pattern: 'x' }, true],
    ['Grep', { pattern: 'x', path: '..' }, false],
    ['Grep', { pattern: 'x', path: '~' }, false],
    ['Glob', { pattern: 'src/**/*.ts' }, true],
    ['Glob', { pattern: '/etc/*' }, false],
    ['Glob', { pattern: '../*' }, false],
    ['Glob', { pattern: 'a/{..,b}/*' }, false],
    ['Glob', { pattern: '*', path: '/home/dev' }, false],
    ['Ls', { path: 'src' }, true],
    ['Ls', { path: '/var' }, false],
    ['Write', { file_path: 'src/a.ts' }, false],
    ['WebFetch', { url: 'https://x' }, false],
  ])('%s %j: %s', (name, input, expected) => {
    expect(is(name, input)).toBe(expected);
  });

  test('a search is calm only if nothing below is private', () => {
    const filesBelow = () => ['/home/dev/project/.env'];
    expect(is('Grep', { pattern: 'x' }, { ...EMPTY, filesBelow })).toBe(false);
    expect(is('Grep', { pattern: 'x' }, { ...EMPTY, filesBelow: () => null })).toBe(false);
  });
});
