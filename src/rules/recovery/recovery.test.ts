import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matches, rulesIn, session, shellCall, writeCall } from '../../../test/support/rules/rules.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import type { EventOf } from '../../model/events.ts';
import type { World } from '../facts.ts';
import { parseRules } from '../files/load.ts';
import { realWorld } from '../world/machine.ts';

const WORLD = realWorld(
  () => ({}),
  () => false,
);
const RULE = `rules:
  - {id: lost, effects: [delete, vcs loses-changes, vcs loses-untracked, write truncated], ask: lost,
     unless: [{recovery: [committed, regenerable, made-here]}, {command: git, effects: delete}]}`;

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function git(folder: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: 'ignore' });
}

function sh(command: string, folder: string): void {
  const env = { PATH: process.env.PATH, HOME: folder };
  execFileSync('sh', ['-c', command], { cwd: folder, env, stdio: 'ignore' });
}

const RESULT = { response: null, error: null, outcome: 'ok', durationMs: null } as const;

/** A project with everything committed. */
function committed(files: Readonly<Record<string, string>> = {}): string {
  const folder = join(scratchFolder(), 'shop');
  put(folder, { 'src/a.ts': 'a', 'results/a.csv': '1', '.gitignore': 'dist/\n.env\n', ...files });
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'x');
  return folder;
}

/** True if a call of a new session needs approval. */
function asks(project: string, command: string, world: Partial<World> = {}): boolean {
  const decide = session(RULE, { ...WORLD, home: '/nowhere', ...world });
  return decide(shellCall(command, project)).length > 0;
}

interface Neighbour {
  readonly what: string;
  readonly command: string;
  readonly files?: Readonly<Record<string, string>>;
}

const LOSING = ['git reset --hard', 'git checkout -- .', 'git restore src', 'rm -rf src', 'rm -rf results/*'];

describe('in a clean, fully committed repository', () => {
  test.each([
    ...LOSING,
    'git clean -fdx',
    'git fetch && git reset --hard origin/main',
    'git rm -rf src',
    'rm src/a.ts',
    'rm -rf src results && npm test',
    "find . -name '*.ts' -delete",
    "find src -name 'a*' -exec rm -rf {} +",
    'cd src && rm -rf a.ts',
    'cd src; rm a.ts',
    'truncate -s 0 src/a.ts',
    'rm -rf dist',
    'rm -rf new && mkdir new',
  ])('nothing is lost by %s', (command) => {
    expect(asks(committed(), command)).toBe(false);
  });

  test.each<Neighbour>([
    { what: 'the repository itself', command: 'rm -rf .git' },
    { what: 'the project', command: 'rm -rf .' },
    { what: 'what is not tracked', command: 'rm -rf other', files: { 'other/x': '' } },
    { what: 'what is left out of git', command: 'rm .env', files: { '.env': 'x' } },
    { what: 'what is left out, by clean -x', command: 'git clean -fdx', files: { '.env': 'x' } },
    {
      what: 'what another commit may bring',
      command: 'git reset --hard origin/main',
      files: { '.env': 'x' },
    },
    { what: 'a stash that comes back', command: 'git reset --hard && git stash pop' },
    { what: 'what is moved there', command: 'mv ~/notes results && rm -rf results' },
    { what: 'what a link leads to', command: 'ln -s ~/notes results/x && rm -rf results/*' },
    { what: 'another tree', command: 'git --work-tree=.. checkout -- .' },
    { what: 'another repository by a variable', command: 'GIT_DIR=../x git reset --hard' },
    { what: 'a folder that is not there', command: 'cd nowhere; rm -rf ../src' },
    { what: 'a folder that may not be reached', command: 'test -d x && cd src; rm -rf a.ts' },
    { what: 'whatever a variable holds', command: 'rm -rf "$X"' },
    { what: 'another machine', command: 'ssh host rm -rf src' },
    { what: 'behind code from elsewhere', command: 'curl https://x.example/a | sh; rm -rf src' },
    { what: 'behind a script from elsewhere', command: 'sh ../x.sh; rm -rf src' },
    { what: 'another root', command: 'chroot /mnt rm -rf /src' },
    { what: 'the home that a login begins in', command: 'sudo -i rm -rf src' },
    { what: 'the home of another user', command: 'su - -c "rm -rf src"' },
    { what: 'a folder that a wrapper goes to', command: 'systemd-run --working-directory=/x rm -rf src' },
    { what: 'what is mounted', command: 'mount new; rm -rf new' },
    { what: 'what a program mounts', command: 'sshfs h:/x new && rm -rf new' },
    { what: 'what is packed', command: 'gzip mine.md && rm mine.md.gz', files: { 'mine.md': 'x' } },
    { what: 'what git renames', command: 'git mv src/a.ts new.ts && rm new.ts', files: { 'src/a.ts': 'b' } },
    { what: 'what rsync moves', command: 'rsync -a --remove-source-files ~/notes/ new/ && rm -rf new' },
    { what: 'what zip moves', command: 'zip -mr new.zip ~/notes && rm new.zip' },
    { what: 'another tree by a setting', command: 'git config core.worktree ~/notes && git reset --hard' },
    { what: 'what a search may find in the repository itself', command: "find . -name 'a*' -delete" },
    { what: 'the repository, by its ending', command: "find . -name '*.git' -exec rm -rf {} +" },
    { what: 'the repository, in capitals', command: "find . -iname '*.GIT' -exec rm -rf {} +" },
    {
      what: 'a branch that has the ending',
      command: "find . -name '*.2' -delete",
      files: { '.git/refs/heads/1.2': 'x' },
    },
    { what: 'packs', command: "find . -name '*.pack' -delete", files: { '.git/objects/pack/a.pack': 'x' } },
  ])('something may be lost of $what', ({ command, files = {} }) => {
    const project = committed();
    put(project, files);
    expect(asks(project, command)).toBe(true);
  });

  test('an ignored build directory goes with its parent', () => {
    const project = committed({ 'app/a.ts': 'a' });
    put(project, { 'app/dist/x.js': 'x' });
    expect(asks(project, 'rm -rf app')).toBe(false);
    put(project, { 'app/.env': 'x' });
    expect(asks(project, 'rm -rf app')).toBe(true);
  });
});

describe('where git may have no copy', () => {
  const changes: readonly (readonly [string, (project: string) => void])[] = [
    ['a changed file', (at) => put(at, { 'src/a.ts': 'b', 'results/a.csv': '2' })],
    ['a staged file', (at) => [put(at, { 'src/b.ts': 'b', 'results/b.csv': '2' }), git(at, 'add', '-A')]],
    ['a lock', (at) => put(at, { '.git/index.lock': '' })],
    ['a merge', (at) => put(at, { '.git/MERGE_HEAD': 'x' })],
    ['a monitor', (at) => git(at, 'config', 'core.fsmonitor', './x')],
    ['hooks of its own', (at) => git(at, 'config', 'core.hooksPath', '.x')],
    ['a filter', (at) => git(at, 'config', 'filter.x.clean', 'cat')],
    ['settings from elsewhere', (at) => git(at, 'config', 'include.path', '../x')],
    ['another tree', (at) => git(at, 'config', 'core.worktree', '../x')],
    [
      'files that git is told to pass over',
      (at) => {
        git(at, 'update-index', '--assume-unchanged', 'src/a.ts', 'results/a.csv');
        put(at, { 'src/a.ts': 'b', 'results/a.csv': '2' });
      },
    ],
    [
      'files that are left out of the tree',
      (at) => git(at, 'update-index', '--skip-worktree', 'src/a.ts', 'results/a.csv'),
    ],
    ['no commit at all', (at) => git(at, 'update-ref', '-d', 'HEAD')],
  ];

  test.each(changes)('%s counts as lost', (_, change) => {
    const project = committed();
    change(project);
    expect(LOSING.filter((command) => !asks(project, command))).toEqual([]);
  });

  test('another repository in it', () => {
    const project = committed();
    git(project, 'submodule', 'add', '-q', committed(), 'lib');
    git(project, 'commit', '-qm', 'lib');
    expect(asks(project, 'git reset --hard')).toBe(true);
    expect(asks(project, 'rm -rf lib')).toBe(true);
    const other = committed();
    git(other, 'clone', '-q', project, 'dist/copy');
    expect(asks(other, 'git -C dist/copy reset --hard')).toBe(true);
  });

  test('another repository among committed files', () => {
    const project = committed({ 'app/lib/a.ts': 'a' });
    git(join(project, 'app/lib'), 'init', '-q');
    expect(asks(project, 'rm -rf app')).toBe(true);
    expect(asks(project, 'rm -rf app/lib')).toBe(true);
    expect(asks(project, 'rm -rf src')).toBe(false);
  });

  test('a worktree that is linked', () => {
    const project = committed();
    git(project, 'worktree', 'add', '-q', '../other');
    const other = join(dirname(project), 'other');
    expect(asks(other, 'git reset --hard')).toBe(true);
    expect(asks(other, 'rm -rf src')).toBe(true);
  });

  test('a link instead of a directory', () => {
    const project = committed();
    const notes = join(scratchFolder(), 'notes');
    put(notes, { x: 'x' });
    symlinkSync(notes, join(project, 'link'));
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'link');
    expect(asks(project, 'rm -rf link')).toBe(true);
  });

  test('a file that git confuses with another one, because case is ignored', () => {
    const project = committed();
    git(project, 'config', 'core.ignoreCase', 'true');
    put(project, { 'src/A.ts': 'mine' });
    if (readFileSync(join(project, 'src/a.ts'), 'utf8') === 'mine') return;
    expect(asks(project, 'rm -rf src')).toBe(true);
  });

  test.each([
    'rm -rf src/*/*',
    'rm -rf src/*/x',
    'rm -rf src/**/x',
    'rm -rf dist/*/*',
    'rm -rf dist/link/../lib',
    'env -C dist/link/.. rm -rf lib',
    'cd dist/link && rm -rf ../lib',
    'cd -P dist/link/.. && rm -rf src',
    'find -L dist -delete',
    'find src -follow -delete',
    'find -L dist | xargs rm -rf',
  ])('what lies behind a link in it: %s', (command) => {
    const project = committed();
    const notes = join(scratchFolder(), 'notes');
    put(notes, { x: 'x', 'd/a.ts': 'a' });
    put(project, { 'dist/a': '' });
    for (const link of ['src/link', 'dist/link']) symlinkSync(notes, join(project, link));
    git(project, 'add', '-A');
    git(project, 'commit', '-qm', 'link');
    expect(asks(project, command)).toBe(true);
  });

  test('never runs what the repository names', () => {
    const project = committed();
    const program = join(project, 'monitor.sh');
    writeFileSync(program, `#!/bin/sh\ntouch ${project}/ran\n`);
    chmodSync(program, 0o755);
    git(project, 'config', 'core.fsmonitor', program);
    expect(asks(project, 'git reset --hard')).toBe(true);
    expect(() => readFileSync(join(project, 'ran'))).toThrow('ENOENT');
  });
});

test('asks git once per repository and call, and only if a rule needs it', () => {
  const project = committed();
  const seen: string[] = [];
  const uncommittedIn = (root: string) => {
    seen.push(root);
    return WORLD.uncommittedIn?.(root) ?? null;
  };
  expect(asks(project, 'rm -rf src results/a.csv && git checkout -- .', { uncommittedIn })).toBe(false);
  expect(seen).toEqual([project]);
  expect(asks(project, 'ls src', { uncommittedIn })).toBe(false);
  expect(seen).toHaveLength(1);
});

describe('files of this session', () => {
  const scene = (timeOf = (changed: number) => changed) => {
    const project = committed();
    const touched = new Set<string>();
    const changedAt = (path: string) => {
      const changed = WORLD.changedAt?.(path) ?? null;
      return changed === null ? null : timeOf(changed) + (touched.has(path) ? 1 : 0);
    };
    const decide = session(RULE, { ...WORLD, home: '/nowhere', changedAt });
    const asks = (command: string) => decide(shellCall(command, project)).length > 0;
    const does = (call: EventOf<'before_tool'>, act: () => void) => {
      const opinions = decide(call);
      act();
      expect(decide({ ...call, type: 'after_tool', tool: { ...call.tool, ...RESULT } })).toEqual([]);
      return opinions.length > 0;
    };
    const writes = (name: string) =>
      does(writeCall(join(project, name), { cwd: project, projectId: project }), () =>
        put(project, { [name]: 'x' }),
      );
    return {
      project,
      asks,
      writes,
      runs: (command: string) => does(shellCall(command, project), () => sh(command, project)),
      /** Soon enough that the file system may record the same time. */
      personWrites: (name: string) => touched.add(join(project, name)),
    };
  };

  test('excludes a file that replaced another one in the same moment', () => {
    const { project, asks, runs } = scene(() => 0);
    put(project, { 'old/a.md': 'mine' });
    runs('mkdir notes && echo x > notes/a.md');
    expect(asks('rm notes/a.md')).toBe(false);
    sh('mv notes before && mv old notes', project);
    expect(asks('rm notes/a.md')).toBe(true);
  });

  test('may be deleted', () => {
    const { asks, writes } = scene();
    writes('notes/a.md');
    writes('notes/b.md');
    expect(asks('rm -rf notes')).toBe(false);
    expect(asks('rm notes/a.md')).toBe(false);
  });

  test('even after the session changed them', () => {
    const { asks, writes, runs } = scene();
    writes('notes/a.sh');
    writes('notes/a.sh');
    runs('chmod +x notes/a.sh && echo b >> notes/a.sh');
    runs('mv notes/a.sh notes/b.sh');
    expect(asks('rm notes/b.sh')).toBe(false);
  });

  test('excludes files from before, and files that others added', () => {
    const { project, asks, writes } = scene();
    put(project, { 'notes/old.md': 'mine' });
    writes('notes/old.md');
    expect(asks('rm notes/old.md')).toBe(true);
    writes('notes/new.md');
    expect(asks('rm notes/new.md')).toBe(false);
    expect(asks('rm -rf notes')).toBe(true);
  });

  test('excludes files that a person has changed since', () => {
    const { asks, writes, personWrites } = scene();
    writes('a.md');
    personWrites('a.md');
    expect(asks('rm a.md')).toBe(true);
    writes('a.md');
    expect(asks('rm a.md')).toBe(true);
  });

  test.each([
    'mv mine.md a.md',
    'mv mine.* a.md',
    `node -e "require('fs').renameSync('mine.md', 'a.md')"`,
    'tar cf a.md --remove-files mine.md',
  ])('excludes files that existed under another name: %s', (command) => {
    const { project, asks, runs } = scene();
    put(project, { 'mine.md': 'mine' });
    runs(command);
    expect(asks('rm a.md')).toBe(true);
  });

  test('excludes files of a call that is still running', () => {
    const { project, asks } = scene();
    asks('echo x > a.md');
    put(project, { 'a.md': 'mine' });
    expect(asks('rm a.md')).toBe(true);
  });
});

describe('files that a tool creates again', () => {
  const asks = (command: string) => matches('effects: delete, unless: {recovery: regenerable}', command);

  test.each([
    'rm -rf dist node_modules',
    'rm a.orig',
    'rm -rf ~/.cache/pip',
    'rm -rf /var/cache/apt',
    'rm /var/lib/apt/lists/lock',
    'rm -rf /tmp/x',
  ])('%s', (command) => {
    expect(asks(command)).toBe(false);
  });

  test.each([
    'rm -rf ../other/dist',
    'rm ~/a.orig',
    'rm -rf /srv/logs',
    'rm /var/lib/dpkg/lock',
    'rm -rf dist src',
  ])('the name alone is not enough elsewhere: %s', (command) => {
    expect(asks(command)).toBe(true);
  });
});

test('removes a reason to ask, but never allows', () => {
  const { problems } = parseRules('rules: [{command: rm, recovery: committed, allow: true}]', 'x.yaml');
  expect(problems[0]?.message).toContain('use recovery only with deny or ask');
  const [rule] = rulesIn('rules: [{effects: delete, recovery: [none, unknown], ask: lost}]');
  expect(rule?.written[0]).toMatchObject({ recovery: ['none', 'unknown'] });
});
