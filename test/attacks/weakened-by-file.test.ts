import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openScriptKeys } from '../../src/access/script-keys.ts';
import { confirmed as confirmedFindings } from '../../src/cli/doctor/checks/confirmed.ts';
import type { Daemon } from '../../src/daemon/run-daemon.ts';
import { fallback } from '../../src/forwarder/fallback.ts';
import { openConfirmed } from '../../src/home/confirmed/confirmed.ts';
import {
  actionFor,
  confirmSeen,
  discard,
  markOf,
  pendingChanges,
  seenOf,
} from '../../src/home/confirmed/pending.ts';
import type { HomePaths } from '../../src/home/paths.ts';
import { openLastGood } from '../../src/platform/last-good.ts';
import { listEvents } from '../../src/store/read/queries.ts';
import { bashCall, changeSettings, scratchHome, startDaemon } from '../support/daemon/daemon.ts';

// Write access to the home must not disable its rules: otherwise one more path to config.yaml would be enough for an
// attack.

const FORCED = 'git push --force origin main';
const PORT = 'http: {port: 0}\n';
const NO_DEPLOY = 'rules: [{ id: no-deploy, command: deploy, deny: Not from here. }]\n';

const isDenied = (answer: unknown) => JSON.stringify(answer).includes('"deny"');

const byDaemon = async ({ hub }: Daemon, command: string) => isDenied(await hub.call(bashCall(command)));

async function withoutDaemon({ root }: HomePaths, command: string): Promise<boolean> {
  const { payload, ...call } = bashCall(command);
  const stdin = Buffer.from(JSON.stringify(payload));
  const { id: requestId, agent, event, env } = call;
  return isDenied(
    await fallback({ home: root, requestId, agent, event, env, stdin, ts: Date.now(), isStarted: true }),
  );
}

/** A home that was started once, with one rule. */
async function startedHome(config = PORT): Promise<{ readonly paths: HomePaths; readonly daemon: Daemon }> {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'own.yaml'), NO_DEPLOY);
  return { paths, daemon: await startDaemon(paths) };
}

const WEAKER: readonly (readonly [what: string, weaken: (paths: HomePaths) => void, command: string])[] = [
  ['a pack that is off', ({ config }) => writeFileSync(config, `${PORT}packs: {git: off}\n`), FORCED],
  ['a pack that observes', ({ config }) => writeFileSync(config, `${PORT}packs: {git: observe}\n`), FORCED],
  [
    'a rule that is off',
    ({ config }) => writeFileSync(config, `${PORT}disabledRules: [no-deploy]\n`),
    'deploy',
  ],
  ['a rule file that is gone', ({ rules }) => rmSync(join(rules, 'own.yaml')), 'deploy'],
  ['a folder of rules that is gone', ({ rules }) => rmSync(rules, { recursive: true }), 'deploy'],
  [
    'a folder of rules with too many files',
    ({ rules, lastGood }) => {
      rmSync(join(rules, 'own.yaml'));
      for (let at = 0; at <= 1_000; at += 1) writeFileSync(join(rules, `${at}.yaml`), '');
      rmSync(lastGood, { recursive: true });
    },
    'deploy',
  ],
  ['a rule file that is empty', ({ rules }) => writeFileSync(join(rules, 'own.yaml'), ''), 'deploy'],
  [
    'a rule file without rules',
    ({ rules }) => writeFileSync(join(rules, 'own.yaml'), 'rules: []\n'),
    'deploy',
  ],
  [
    'a rule that only observes',
    ({ rules }) => writeFileSync(join(rules, 'own.yaml'), `mode: observe\n${NO_DEPLOY}`),
    'deploy',
  ],
];

describe.each(WEAKER)('%s', (_, weaken, command) => {
  test('waits for a person, with a daemon, after its restart and without one', async () => {
    const { paths, daemon } = await startedHome();
    expect(await byDaemon(daemon, command)).toBe(true);
    weaken(paths);
    expect(await byDaemon(daemon, command)).toBe(true);
    await daemon.stop();
    expect(await withoutDaemon(paths, command)).toBe(true);
    const next = await startDaemon(paths);
    expect(await byDaemon(next, command)).toBe(true);
    expect(next.hub.alerts.list()).toMatchObject([{ code: 'unconfirmed', level: 'problem' }]);

    const { changes } = pendingChanges(paths, next.home.confirmed);
    confirmSeen(paths, next.home.confirmed, seenOf(changes));
    expect(await byDaemon(next, command)).toBe(false);
    await next.stop();
    expect(await withoutDaemon(paths, command)).toBe(false);
  });
});

test('failures still deny, even without a daemon', async () => {
  const { paths, daemon } = await startedHome(`${PORT}failure: closed\n`);
  for (const text of [`${PORT}failure: open\n`, PORT, 'failur: [']) {
    writeFileSync(paths.config, text);
    expect(daemon.home.config.failure).toBe('closed');
  }
  rmSync(paths.config);
  expect(daemon.home.config.failure).toBe('closed');
  await daemon.stop();
  const next = await startDaemon(paths);
  expect(next.home.config.failure).toBe('closed');
});

test('ignores allows of an unconfirmed file and obeys its denials', async () => {
  const { paths, daemon } = await startedHome();
  writeFileSync(
    join(paths.rules, 'new.yaml'),
    'rules: [{ id: yes, command: curl, allow: true }, { id: no, command: make, deny: No. }]\n',
  );
  const { rules } = daemon.home.rules.inForce(null);
  expect(rules.filter(({ id }) => ['yes', 'no'].includes(id)).map(({ id }) => id)).toEqual(['no']);
});

test('stricter rules apply to the next call and become the baseline of the next change', async () => {
  const { paths, daemon } = await startedHome();
  const more = join(paths.rules, 'more.yaml');
  writeFileSync(more, 'rules: [{ id: no-make, command: make, ask: Sure? }]\n');
  writeFileSync(paths.config, `${PORT}failure: closed\npacks: {cloud: on}\n`);
  expect(daemon.home.config.failure).toBe('closed');
  writeFileSync(more, 'rules: [{ id: no-make, command: make, deny: No. }]\n');
  expect(await byDaemon(daemon, 'make')).toBe(true);
  rmSync(more);
  writeFileSync(paths.config, PORT);
  expect(await byDaemon(daemon, 'make')).toBe(true);
  expect(daemon.home.config).toMatchObject({ failure: 'closed', packs: { cloud: 'on' } });
  discard(paths, pendingChanges(paths, daemon.home.confirmed));
  expect(readFileSync(more, 'utf8')).toContain('deny');
  expect(pendingChanges(paths, daemon.home.confirmed).changes).toEqual([]);
});

test.each([
  ['packs: {self-protection: off}', 'unlock'],
  ['disabledRules: [self-protection/commands]', 'unlock'],
  ['access: {terminals: [x]}', 'unlock'],
  ['develop: /src', 'unlock'],
  ['packs: {git: off}', 'rules'],
])('agreeing to %s requires permission to %s', async (text, action) => {
  const { paths, daemon } = await startedHome();
  writeFileSync(paths.config, `${PORT}${text}\n`);
  expect(actionFor(pendingChanges(paths, daemon.home.confirmed).changes)).toBe(action);
});

test('unreadable settings cannot be confirmed', async () => {
  const { paths, daemon } = await startedHome();
  writeFileSync(paths.config, 'failur: [');
  expect(pendingChanges(paths, daemon.home.confirmed).changes).toEqual([]);
  const seen = { 'config.yaml': markOf('failur: [') };
  expect(() => confirmSeen(paths, daemon.home.confirmed, seen)).toThrow('config.yaml');
});

test('an existing but unreadable rule file stays confirmed', async () => {
  const { paths, daemon } = await startedHome();
  const own = join(paths.rules, 'own.yaml');
  const text = readFileSync(own, 'utf8');
  rmSync(own);
  mkdirSync(own);
  expect(await byDaemon(daemon, 'deploy')).toBe(true);
  expect(pendingChanges(paths, daemon.home.confirmed).changes).toEqual([]);
  expect(daemon.home.confirmed.agreed(own)).toBe(text);
});

test('restores a confirmed version that is deleted while the daemon runs, with an alert', async () => {
  const { paths, daemon } = await startedHome();
  rmSync(paths.confirmed);
  daemon.hub.confirmWatch.lookAgain();
  expect(existsSync(paths.confirmed)).toBe(true);
  expect(daemon.hub.alerts.list()).toMatchObject([{ code: 'confirmed-deleted' }]);
});

test('stricter rules become the baseline of the next start', async () => {
  const { paths, daemon } = await startedHome();
  const more = join(paths.rules, 'more.yaml');
  writeFileSync(more, 'rules: [{ id: no-make, command: make, deny: No. }]\n');
  expect(await byDaemon(daemon, 'make')).toBe(true);
  await daemon.stop();
  rmSync(more);
  expect(await byDaemon(await startDaemon(paths), 'make')).toBe(true);
});

test('a file path is not accepted as a pack name', async () => {
  const { paths, daemon } = await startedHome();
  const evil = join(paths.root, 'evil.yaml');
  writeFileSync(evil, 'rules: [{ id: evil, command: curl, allow: true }]\n');
  const name = relative(fileURLToPath(new URL('../../src/rules/packs', import.meta.url)), evil).slice(0, -5);
  writeFileSync(paths.config, `${PORT}packs: {${JSON.stringify(name)}: on}\n`);
  expect(daemon.home.rules.inForce(null).rules.filter(({ id }) => id === 'evil')).toEqual([]);
});

test.each([
  ['takes nothing away', NO_DEPLOY.replace(']', ', { broken: true }]')],
  ['allows nothing', ''],
])('a planted last good version %s', async (_, text) => {
  const { paths, daemon } = await startedHome();
  await daemon.stop();
  const own = join(paths.rules, text === '' ? 'new.yaml' : 'own.yaml');
  writeFileSync(own, text);
  const planted = text === '' ? 'rules: [{ id: evil, command: curl, allow: true }]\n' : 'rules: []\n';
  openLastGood(paths.lastGood).keep(own, { [own]: planted });
  const next = await startDaemon(paths);
  expect(next.home.rules.inForce(null).rules.filter(({ id }) => id === 'evil')).toEqual([]);
  expect(await byDaemon(next, 'deploy')).toBe(true);
  await next.stop();
  expect(await withoutDaemon(paths, 'deploy')).toBe(true);
});

test('a file in place of the rules directory removes no rule', async () => {
  const { paths, daemon } = await startedHome();
  await daemon.stop();
  rmSync(paths.rules, { recursive: true });
  writeFileSync(paths.rules, '');
  expect(await withoutDaemon(paths, 'deploy')).toBe(true);
  const next = await startDaemon(paths);
  expect(await byDaemon(next, 'deploy')).toBe(true);
  expect(await byDaemon(next, FORCED)).toBe(true);
});

describe('the confirmed version', () => {
  const weakened = `${PORT}packs: {git: off}\nfailure: open\n`;

  test.each<[string, (paths: HomePaths, other: HomePaths) => void]>([
    ['deleted', ({ confirmed }) => rmSync(confirmed)],
    ['emptied', ({ confirmed }) => writeFileSync(confirmed, '')],
    [
      'written by hand',
      ({ confirmed }) => {
        const { signature, content } = JSON.parse(readFileSync(confirmed, 'utf8'));
        const files = { 'config.yaml': weakened };
        const forged = JSON.stringify({ ...JSON.parse(content), files });
        writeFileSync(confirmed, JSON.stringify({ signature, content: forged }));
      },
    ],
    ['taken from another home', ({ confirmed }, other) => copyFileSync(other.confirmed, confirmed)],
    [
      'deleted with the history',
      ({ confirmed, database }) => {
        for (const path of [confirmed, database]) rmSync(path);
      },
    ],
  ])('when %s leaves nothing weaker than the defaults', async (_, attack) => {
    const { paths, daemon } = await startedHome();
    await daemon.stop();
    const other = await startedHome(weakened);
    await other.daemon.stop();
    writeFileSync(paths.config, weakened);
    attack(paths, other.paths);
    expect(await withoutDaemon(paths, FORCED)).toBe(true);
    expect(await withoutDaemon(paths, 'deploy')).toBe(true);
    for (let start = 0; start < 2; start += 1) {
      const next = await startDaemon(paths);
      expect(await byDaemon(next, FORCED)).toBe(true);
      expect(next.hub.alerts.list()).toContainEqual(expect.objectContaining({ code: 'unconfirmed' }));
      await next.stop();
    }
    const last = await startDaemon(paths);
    const { changes } = pendingChanges(paths, last.home.confirmed);
    expect(changes.map(({ lines }) => lines)).toEqual([['packs.git: on → off']]);
    confirmSeen(paths, last.home.confirmed, seenOf(changes));
    expect(await byDaemon(last, FORCED)).toBe(false);
    expect(pendingChanges(paths, last.home.confirmed)).toEqual({ lost: false, changes: [] });
  });

  test('is the state at the first start', async () => {
    const { daemon } = await startedHome(weakened);
    expect(await byDaemon(daemon, FORCED)).toBe(false);
    expect(daemon.hub.alerts.list()).toEqual([]);
  });

  test('is adopted unchanged from the home of an earlier version', async () => {
    const { paths, daemon } = await startedHome(weakened);
    daemon.home.db.exec('PRAGMA application_id = 0');
    await daemon.stop();
    rmSync(paths.confirmed);
    expect(await withoutDaemon(paths, FORCED)).toBe(false);
    const next = await startDaemon(paths);
    expect(await byDaemon(next, FORCED)).toBe(false);
    expect(next.hub.alerts.list()).toEqual([]);
  });
});

test('a person agrees only to what they have seen', async () => {
  const { paths, daemon } = await startedHome();
  const { confirmed } = daemon.home;
  writeFileSync(paths.config, `${PORT}packs: {git: observe}\n`);
  const seen = seenOf(pendingChanges(paths, confirmed).changes);
  writeFileSync(paths.config, `${PORT}packs: {git: off}\n`);
  expect(() => confirmSeen(paths, confirmed, seen)).toThrow('has changed since you viewed it');
  expect(await byDaemon(daemon, FORCED)).toBe(true);
});

test('a change by a person does not confirm pending changes in the same file', async () => {
  const { paths, daemon } = await startedHome();
  writeFileSync(paths.config, `${PORT}packs: {git: off}\n`);
  changeSettings(daemon, `${PORT}packs: {git: off, calm: on}\n`);
  expect(await byDaemon(daemon, FORCED)).toBe(true);
});

test('an agent cannot count as a person by naming its own terminal', async () => {
  const { paths, daemon } = await startedHome();
  writeFileSync(paths.config, `${PORT}access: {terminals: [/usr/bin/]}\n`);
  expect(daemon.home.config.access.terminals).toEqual([]);
});

test('in a home that came with a script key, changes apply at once and are reported', async () => {
  const paths = scratchHome(PORT);
  mkdirSync(paths.rules, { recursive: true });
  openScriptKeys(paths.scriptKeys).create('provisioning');
  const daemon = await startDaemon(paths);
  writeFileSync(paths.config, `${PORT}packs: {git: off}\n`);
  expect(await byDaemon(daemon, FORCED)).toBe(false);
  expect(daemon.hub.alerts.list()).toMatchObject([
    { code: 'weakened-at-once', message: expect.stringContaining('packs.git: on → off') },
  ]);
  await daemon.stop();
  expect(confirmedFindings({ paths })).toMatchObject([{ level: 'limit', code: 'confirm-at-once' }]);
  // Without its last key it is a home as every other.
  openScriptKeys(paths.scriptKeys).revoke('provisioning');
  const next = await startDaemon(paths);
  writeFileSync(paths.config, `${PORT}packs: {git: off, secrets: off}\n`);
  expect(next.home.config.packs).toEqual({ git: 'off' });
  expect(confirmedFindings({ paths })).toMatchObject([
    { level: 'problem', code: 'unconfirmed', why: 'config.yaml: packs.secrets: on → off' },
  ]);
});

test('a script key that is added later does not change that', async () => {
  const { paths, daemon } = await startedHome();
  openScriptKeys(paths.scriptKeys).create('mine');
  writeFileSync(paths.config, `${PORT}packs: {git: off}\n`);
  expect(await byDaemon(daemon, FORCED)).toBe(true);
  await daemon.stop();
  const next = await startDaemon(paths);
  expect(await byDaemon(next, FORCED)).toBe(true);
  expect(openConfirmed(paths).isLost).toBe(false);
  expect(listEvents(next.home.db).length).toBeGreaterThan(0);
});
