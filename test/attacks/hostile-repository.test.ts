import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BoundedRead, readRegularFile } from '../../src/platform/bounded-files.ts';
import { isTrusted, projectHash, readProject, setTrust } from '../../src/rules/files/trust.ts';
import { DEFAULT_PACKS, openRuleSet } from '../../src/rules/rule-set.ts';
import { realWorld } from '../../src/rules/world/machine.ts';
import { scratchFolder } from '../support/scratch.ts';

// A freshly cloned repository could block the daemon for every session: with a rule file that links to /dev/zero, or
// one that the parser never finishes.

interface Repository {
  readonly root: string;
  readonly rules: string;
  readonly trustFile: string;
  write(name: string, text: string): void;
  link(name: string, target: string): void;
  inForce(): { readonly ids: readonly string[]; readonly problems: readonly string[] };
}

function clone(): Repository {
  const folder = scratchFolder();
  const root = join(folder, 'repository');
  const rules = join(root, '.hookline', 'rules');
  mkdirSync(rules, { recursive: true });
  mkdirSync(join(folder, 'own'));
  writeFileSync(join(folder, 'own', 'a.yaml'), 'rules: [{id: own, deny: no}]');
  const set = openRuleSet({
    folder: join(folder, 'own'),
    systemFolder: join(folder, 'none'),
    trustFile: join(folder, 'trust.json'),
    packs: Object.fromEntries(PACKS.map((name) => [name, 'off'])),
    off: [],
    places: {},
  });
  return {
    root,
    rules,
    trustFile: join(folder, 'trust.json'),
    write: (name, text) => writeFileSync(join(rules, name), text),
    link: (name, target) => symlinkSync(target, join(rules, name)),
    inForce: () => {
      const { rules: inForce, problems } = set.inForce(root);
      return {
        ids: inForce.map(({ id }) => id),
        problems: problems.map(({ where, message }) => `${where.slice(rules.length + 1)}: ${message}`),
      };
    },
  };
}

const PACKS = Object.keys(DEFAULT_PACKS);
const GOOD = 'rules: [{id: theirs, deny: no}]';
const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));

describe.skipIf(process.platform === 'win32')('a rule file outside the repository', () => {
  test.each([
    ['a link to a device without end', (to: Repository) => to.link('x.yaml', '/dev/zero'), 'out of'],
    ['a link to the terminal', (to: Repository) => to.link('x.yaml', '/dev/stdin'), /out of|ENOENT|ENXIO/],
    ['a link to another file of the user', (to: Repository) => to.link('x.yaml', '/etc/passwd'), 'out of'],
    [
      'a pipe without a writer',
      (to: Repository) => execFileSync('mkfifo', [join(to.rules, 'x.yaml')]),
      'not a regular file',
    ],
    ['a folder', (to: Repository) => mkdirSync(join(to.rules, 'x.yaml')), 'not a regular file'],
    ['a link to nothing', (to: Repository) => to.link('x.yaml', 'nowhere'), 'ENOENT'],
    ['a link to itself', (to: Repository) => to.link('x.yaml', 'x.yaml'), 'ELOOP'],
    [
      'larger than anyone writes',
      (to: Repository) => to.write('x.yaml', repeated('#', 1 << 20)),
      'more than',
    ],
  ])('%s: rejects and names it, and loads the other rules', (_, make, message) => {
    const repository = clone();
    repository.write('good.yaml', GOOD);
    make(repository);
    const { ids, problems } = repository.inForce();
    expect(ids).toEqual(['own', 'theirs']);
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems[0]).toMatch(/^x\.yaml/);
  });

  test('follows a link within the repository', () => {
    const repository = clone();
    writeFileSync(join(repository.root, 'shared.yaml'), GOOD);
    repository.link('x.yaml', join(repository.root, 'shared.yaml'));
    expect(repository.inForce()).toEqual({ ids: ['own', 'theirs'], problems: [] });
  });

  test('ignores a rules directory that links out of the repository or has too many files', () => {
    const outside = clone();
    execFileSync('rm', ['-r', outside.rules]);
    symlinkSync('/etc', outside.rules);
    expect(outside.inForce()).toEqual({ ids: ['own'], problems: [expect.stringContaining('links outside')] });

    const crowded = clone();
    for (let at = 0; at < 30; at += 1) crowded.write(`${at}.yaml`, GOOD);
    expect(crowded.inForce()).toEqual({ ids: ['own'], problems: [expect.stringContaining('more than 20')] });
  });

  test('reads the same file completely without the limits', () => {
    const repository = clone();
    repository.write('x.yaml', repeated('#', 1 << 20));
    const file = join(repository.rules, 'x.yaml');
    const without = (path: string): BoundedRead => ({ content: readFileSync(path) });
    const isRefused = (read: BoundedRead) => 'refused' in read;
    expect(isRefused(readRegularFile(file, { within: repository.root, maxBytes: 64 << 10 }))).toBe(true);
    expect(isRefused(without(file))).toBe(false);
  });
});

describe('costly YAML', () => {
  const LINE = 60_000;
  test.each([
    // The parser goes so deep that Node aborts.
    ['nested keys', repeated('? ', LINE), 'nested'],
    ['nested lists', repeated('- ', LINE), 'nested'],
    ['nested brackets', `rules: ${repeated('[', LINE)}`, 'nested'],
    ['nested braces', `rules: ${repeated('{a: ', LINE)}`, 'nested'],
    // Each of its errors costs as much as the line is long: over 10 s.
    ['errors without end', `rules: {${repeated(': ', LINE)}`, 'too long'],
  ])('%s', (_, text, message) => {
    const repository = clone();
    repository.write('x.yaml', text);
    const { ids, problems } = repository.inForce();
    expect(ids).toEqual(['own']);
    expect(problems).toEqual([expect.stringContaining(message)]);
  });
});

describe.skipIf(process.platform === 'win32')('other files that are read in a repository', () => {
  test('a repository with an unreadable file cannot become or stay trusted', () => {
    const repository = clone();
    repository.write('good.yaml', GOOD);
    setTrust(repository.root, projectHash(repository.root), repository.trustFile);
    expect(isTrusted(repository.root, repository.trustFile)).toBe(true);
    symlinkSync('/dev/zero', join(repository.root, '.hookline', 'data'));
    expect(readProject(repository.root).problem).toContain('/dev/zero');
    setTrust(repository.root, projectHash(repository.root), repository.trustFile);
    expect(isTrusted(repository.root, repository.trustFile)).toBe(false);
  });

  test('does not search a .hookline that links to a large directory', () => {
    const repository = clone();
    execFileSync('rm', ['-r', join(repository.root, '.hookline')]);
    symlinkSync('/', join(repository.root, '.hookline'));
    expect(readProject(repository.root)).toMatchObject({ files: [], problem: expect.any(String) });
  });

  test('does not look for the branch in a device', () => {
    const repository = clone();
    mkdirSync(join(repository.root, '.git'));
    symlinkSync('/dev/zero', join(repository.root, '.git', 'HEAD'));
    expect(
      realWorld(
        () => ({}),
        () => false,
      ).branchOf(repository.root),
    ).toBeNull();
  });
});
