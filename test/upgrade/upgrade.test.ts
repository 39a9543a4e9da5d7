import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import verify from '../../src/cli/history/verify.ts';
import { handle } from '../../src/engine/handle.ts';
import { search } from '../../src/history/search/search.ts';
import { readConfig } from '../../src/home/config.ts';
import { openHomeGrants } from '../../src/home/engine.ts';
import { type OpenHome, openHome } from '../../src/home/open.ts';
import { homePaths } from '../../src/home/paths.ts';
import { isTrusted } from '../../src/rules/files/trust.ts';
import { versionOf } from '../../src/store/database/migrate.ts';
import { recentApprovals } from '../../src/store/read/approvals.ts';
import { listEvents, listSessions } from '../../src/store/read/queries.ts';
import { printed, useHome } from '../support/cli.ts';
import { callWith, createTestEngine } from '../support/engine.ts';
import { judgeIn, openOld, packsOff } from './open-engine.ts';
import { isUnsigned, placeHome, WRITTEN_BY } from './place-home.ts';

// Homes that earlier versions wrote (CONTRIBUTING.md, Release). Whatever is in one still counts.

/** Everything that the agents did, with the call that was judged without a daemon. */
const EVENTS = [
  'claude session_start none',
  'claude before_agent none',
  'claude before_tool Edit none',
  'claude after_tool Edit none',
  'claude before_tool npm test allow',
  'claude after_tool npm test none',
  'claude before_tool npm version major deny',
  'claude before_tool terraform destroy deny',
  'claude before_tool telnet shop.example.com deny',
  'claude before_tool make deploy none',
  'claude stop none',
  'claude session_end none',
  'gemini before_tool git push -f deny',
  'codex before_tool npm run seed deny',
  'claude before_tool npm publish allow',
  'claude before_tool npm publish --tag beta deny',
  'claude before_tool npm publish --tag next allow',
  'claude before_tool npm publish --access public allow',
  'claude before_tool Write allow',
  'claude before_tool mcp__tracker__create_issue allow',
  'claude before_tool npm version minor deny',
];

function eventsIn({ db }: OpenHome): readonly string[] {
  return listEvents(db)
    .filter(({ source }) => source !== 'hookline')
    .map(({ source, type, tool, response }) =>
      [source, type, ...(tool ? [tool.input.command ?? tool.name] : []), response.decision].join(' '),
    );
}

/** Records a call that no rule is asked about. */
async function recordOne(root: string): Promise<void> {
  const home = openHome(homePaths(root));
  if (home === null) throw new Error(`${root} is open already`);
  try {
    const call = callWith('claude', { session_id: 'c1', hook_event_name: 'Stop' });
    await handle(call, createTestEngine([], { recorder: home.recorder }));
  } finally {
    home.close();
  }
}

// Their paths are those of POSIX systems.
describe.skipIf(process.platform === 'win32').each(WRITTEN_BY)('a home of %s', (version) => {
  test('has its whole history', async () => {
    const home = openOld(placeHome(version).root);
    expect(versionOf(home.db)).toBeGreaterThanOrEqual(6);
    expect(home.ingest()).toHaveLength(1);
    expect(eventsIn(home)).toEqual(EVENTS);
    const denied = listEvents(home.db).find(({ tool }) => tool?.input.command === 'npm version major');
    expect(denied).toMatchObject({
      rules: ['no-version-bump'],
      userId: 'dev',
      promptNumber: 1,
      toolNumber: 3,
    });
    const sessions = listSessions(home.db);
    expect(sessions.map(({ source, sessionId, sequence }) => `${source} ${sessionId} ${sequence}`)).toEqual([
      'claude c1 19',
      'codex x1 1',
      'gemini g1 1',
    ]);
    await home.observing.catchUp(60_000);
    const found = (text: string) => search(home.db, { text }, Date.now()).map(({ subject }) => subject);
    expect(found('discount')).toEqual(['Give every cart a discount of ten percent.']);
    expect(found('telnet')).toEqual(['Bash telnet shop.example.com']);
    expect(home.alerts.list()).toEqual([]);
  });

  test('has its answered approvals', () => {
    const { db } = openOld(placeHome(version).root);
    const who = isUnsigned(version) ? 'dev (command line)' : 'script nightly (command line)';
    expect(
      recentApprovals(db, 20).map(({ state, settledBy, tool }) => [state, settledBy, tool?.command]),
    ).toEqual([
      ['allowed', who, null],
      ['allowed', who, null],
      ['allowed', who, 'npm publish --access public'],
      ['allowed', who, 'npm publish --tag next'],
      ['denied', who, 'npm publish --tag beta'],
      ['allowed', who, 'npm publish'],
    ]);
  });

  test('has a record that can be checked, and goes on with it', async () => {
    const { root } = placeHome(version);
    useHome({ root });
    const report = async () => JSON.parse((await printed(verify, ['--json'])).join('\n'));
    const [records, unlinked] = isUnsigned(version) ? [1, 20] : [28, 0];
    expect(await report()).toMatchObject({ records, unlinked, deleted: 0, lost: 0, problems: [] });
    await recordOne(root);
    expect(await report()).toMatchObject({ records: records + 1, unlinked, problems: [] });
  });

  test('has its settings', () => {
    expect(readConfig(join(placeHome(version).root, 'config.yaml'))).toMatchObject({
      failure: 'open',
      http: { port: 0 },
      retention: { days: 36500 },
      memory: { on: true, tokens: 400 },
      approvals: { hold: 'always', waitSeconds: 600, onExpiry: 'deny' },
      notify: { on: ['failure'], quiet: '22:00-07:00' },
      packs: { containers: 'observe', cloud: 'off' },
      disabledRules: ['no-curl-uploads', 'filesystem/delete-folders'],
    });
  });

  test('has its rules and grants', async () => {
    const { root, shop } = placeHome(version);
    const home = openOld(root);
    // Ids that no rule has would be named here.
    expect(home.rules.inForce(shop)).toMatchObject({
      problems: [],
      unknownDisabledIds: [],
      untrustedRules: [],
    });
    const judge = judgeIn(home, shop, { hooks: false });
    const bash = (command: string, session?: string) => judge('Bash', { command }, session);
    const by = (...names: string[]) => ({ by: expect.arrayContaining(names) });
    expect(await bash('npm version patch')).toEqual({ decision: 'deny', by: ['no-version-bump'] });
    expect(await bash('git push -f')).toEqual({ decision: 'deny', by: ['git/force-push'] });
    expect(await bash('npm publish --otp 1')).toMatchObject({ decision: 'ask', ...by('publish-asks') });
    expect(await bash('make deploy')).toEqual({ decision: 'none', by: ['watch-make (observing)'] });
    expect(await bash('docker rm -f x')).toEqual({ decision: 'none', by: ['containers/remove (observing)'] });
    expect(await bash('curl --upload-file a.txt https://example.com')).toEqual({ decision: 'none', by: [] });
    expect(await bash('npm test')).toEqual({ decision: 'allow', by: ['tests-may-run'] });
    const granted = isUnsigned(version) ? 'ask' : 'allow';
    expect(await bash('npm publish')).toMatchObject({ decision: 'allow' });
    expect(await bash('npm publish --tag beta')).toMatchObject({ decision: 'deny' });
    expect(await bash('npm publish --tag next')).toMatchObject({ decision: granted });
    expect(await bash('npm publish --access public', 'c1')).toMatchObject({ decision: granted });
    expect(await bash('npm publish --access public', 'c2')).toMatchObject({ decision: 'ask' });
    const migration = (name: string) =>
      judge('Write', { file_path: `/srv/shop/migrations/${name}.sql`, content: 'SELECT 2;\n' });
    expect(await migration('1')).toMatchObject({ decision: 'allow' });
    expect(await migration('2')).toMatchObject({ decision: 'ask', by: ['migrations-ask'] });
    expect(await judge('mcp__tracker__close_issue', { id: 1 })).toMatchObject({ decision: 'allow' });
  });

  test('lists its grants', () => {
    const grants = openHomeGrants(homePaths(placeHome(version).root));
    const here = ['npm publish --tag next', 'npm publish --access public'];
    const always = ['npm publish', 'npm publish --tag beta', 'Write /srv/shop/migrations/1.sql', 'tracker/*'];
    const [listed, outdated] = isUnsigned(version) ? [always, here] : [[...always, ...here], []];
    expect(grants.list().map(({ text }) => text)).toEqual(expect.arrayContaining(listed));
    expect(grants.list()).toHaveLength(listed.length);
    expect(grants.outdated().map(({ text }) => text)).toEqual(outdated);
    expect(grants.problem()).toBeNull();
  });

  test('has its hooks, and those of the project that it trusts', async () => {
    const { root, shop } = placeHome(version);
    // Rules have a test of their own.
    writeFileSync(join(root, 'config.yaml'), packsOff);
    const home = openOld(root);
    expect(isTrusted(shop, home.paths.trust)).toBe(true);
    const hooks = await home.hooks.hooksFor(shop);
    expect(hooks.map(({ name }) => name)).toEqual(['no-destroy', 'no-telnet', 'no-price-change']);
    expect(home.hooks.problems()).toEqual([]);
    const judge = judgeIn(home, shop, { hooks: true });
    const denied = (name: string) => ({ decision: 'deny', by: [name] });
    expect(await judge('Bash', { command: 'terraform destroy' })).toEqual(denied('no-destroy'));
    expect(await judge('Bash', { command: 'telnet example.com' })).toEqual(denied('no-telnet'));
    expect(await judge('Bash', { command: './set-price 3' })).toEqual(denied('no-price-change'));
    expect(await judge('Bash', { command: 'ls' })).toEqual({ decision: 'none', by: [] });
  });
});
