import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { openHome } from '../open.ts';
import { type HomePaths, homePaths } from '../paths.ts';
import { configInForce } from './in-force.ts';
import { pendingLine } from './pending.ts';
import { unchangedConfig } from './unchanged.ts';

const RULES = "rules: [{ id: no-publish, command: 'npm publish', deny: 'CI publishes.' }]\n";

/** A home whose settings and rules were confirmed by the first start of a daemon. */
function startedHome(): HomePaths {
  const paths = homePaths(join(scratchFolder(), 'home'));
  mkdirSync(paths.rules, { recursive: true });
  writeFileSync(paths.config, 'failure: closed\n');
  writeFileSync(join(paths.rules, 'own.yaml'), RULES);
  openHome(paths)?.close();
  return paths;
}

test("returns the file's settings if nothing changed, before and after the first start", () => {
  const paths = homePaths(join(scratchFolder(), 'home'));
  expect(unchangedConfig(paths)).toEqual(configInForce(paths));
  expect(unchangedConfig(startedHome())).toMatchObject({ failure: 'closed' });
});

test("a file that isn't a rule file changes nothing", () => {
  const paths = startedHome();
  writeFileSync(join(paths.rules, 'README.md'), 'about them');
  expect(unchangedConfig(paths)).toMatchObject({ failure: 'closed' });
});

test.each<[string, (paths: HomePaths) => void]>([
  ['weaker settings', ({ config }) => writeFileSync(config, 'failure: open\n')],
  ['stricter settings', ({ config }) => writeFileSync(config, 'failure: closed\ndurability: power\n')],
  ['no settings', ({ config }) => rmSync(config)],
  ['a rule less', ({ rules }) => writeFileSync(join(rules, 'own.yaml'), 'rules: []\n')],
  ['a rule file less', ({ rules }) => rmSync(join(rules, 'own.yaml'))],
  ['a rule file more', ({ rules }) => writeFileSync(join(rules, 'more.yml'), RULES)],
  ['no folder of rules', ({ rules }) => rmSync(rules, { recursive: true })],
  [
    'a folder in the place of a rule file',
    ({ rules }) => {
      rmSync(join(rules, 'own.yaml'));
      mkdirSync(join(rules, 'own.yaml'));
    },
  ],
  [
    'an agreement without a signature',
    ({ confirmed }) => writeFileSync(confirmed, readFileSync(confirmed, 'utf8').replace('closed', 'opened')),
  ],
  ['no agreement', ({ confirmed }) => rmSync(confirmed)],
])('requires a full check for %s', (_, change) => {
  const paths = startedHome();
  change(paths);
  expect(unchangedConfig(paths)).toBeNull();
  expect(() => [configInForce(paths), pendingLine(paths)]).not.toThrow();
});

test('reports what is wrong with unreadable settings', () => {
  const paths = homePaths(join(scratchFolder(), 'home'));
  mkdirSync(paths.root);
  writeFileSync(paths.config, 'failure: perhaps\n');
  expect(() => unchangedConfig(paths)).toThrow('failure');
});
