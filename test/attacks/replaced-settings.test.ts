import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConfirmed } from '../../src/home/confirmed/confirmed.ts';
import { configInForceOrStrictest } from '../../src/home/confirmed/in-force.ts';
import { openLiveConfig } from '../../src/home/live-config.ts';
import { homePaths } from '../../src/home/paths.ts';
import { DEFAULT_PACKS, openRuleSet } from '../../src/rules/rule-set.ts';
import { scratchFolder } from '../support/scratch.ts';

// The daemon checks its settings and rules while it runs. An attacker replaces them with something that could make it
// hang, exhaust memory, or continue with weaker rules.

const NO_PACKS = Object.fromEntries(Object.keys(DEFAULT_PACKS).map((name) => [name, 'off' as const]));

const REPLACEMENTS: Readonly<Record<string, (path: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a device without end': (path) => symlinkSync('/dev/zero', path),
  'a folder': (path) => mkdirSync(path),
  'a link to itself': (path) => symlinkSync(path, path),
  'far too much': (path) => writeFileSync(path, `failure: open\n${'# x\n'.repeat(1_000_000)}`),
  'names of names of names': (path) =>
    writeFileSync(
      path,
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghij']
        .map((name, at) => `${name}: &${name} [${`*${'abcdefghij'[at]},`.repeat(9)}]`)
        .join('\n')}\nfailure: open\n`,
    ),
};

describe.skipIf(process.platform === 'win32')('settings and rules replaced while they apply', () => {
  test.each(Object.entries(REPLACEMENTS))('by %s keep their old version, and report it', (_, replace) => {
    const paths = homePaths(scratchFolder());
    const path = paths.config;
    writeFileSync(path, 'failure: closed\n');
    const failures: string[] = [];
    const { config } = openLiveConfig(path, openConfirmed(paths), {
      changed: () => {},
      failed: (why) => failures.push(why),
    });
    renameSync(path, `${path}.old`);
    replace(path);
    expect(config.failure).toBe('closed');
    expect(failures).not.toEqual([]);
    // Without a daemon there is no earlier version: the strictest settings apply.
    expect(configInForceOrStrictest(paths).failure).toBe('closed');
  });

  test.each(Object.entries(REPLACEMENTS))('rules that are replaced by %s stay active', (_, replace) => {
    const folder = scratchFolder();
    const rules = join(folder, 'rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'a.yaml'), 'rules: [{id: own, command: make, deny: no}]');
    const set = openRuleSet({
      folder: rules,
      systemFolder: join(folder, 'none'),
      trustFile: join(folder, 'trust.json'),
      packs: NO_PACKS,
      off: [],
      places: {},
    });
    const own = () => set.inForce(null).rules.filter(({ id }) => id === 'own').length;
    expect(own()).toBe(1);
    rmSync(join(rules, 'a.yaml'));
    replace(join(rules, 'a.yaml'));
    expect(own()).toBe(1);
    expect(set.inForce(null).problems).not.toEqual([]);
  });

  test('a rules directory replaced by a dangling link is reported', () => {
    const folder = scratchFolder();
    const rules = join(folder, 'rules');
    mkdirSync(rules);
    writeFileSync(join(rules, 'a.yaml'), 'rules: [{id: own, command: make, deny: no}]');
    const open = () =>
      openRuleSet({
        folder: rules,
        systemFolder: join(folder, 'none'),
        trustFile: join(folder, 'trust.json'),
        packs: NO_PACKS,
        off: [],
        places: {},
      });
    const set = open();
    expect(set.inForce(null).rules.some(({ id }) => id === 'own')).toBe(true);
    renameSync(rules, join(folder, 'old'));
    symlinkSync('/dev/null', rules);
    const { rules: inForce, problems } = set.inForce(null);
    expect(problems.length > 0 || inForce.some(({ id }) => id === 'own')).toBe(true);
  });
});
