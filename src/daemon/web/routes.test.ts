import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchHome, startDaemon } from '../../../test/support/daemon/daemon.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { readConfig } from '../../home/config.ts';

const RULES = `rules:
  - id: ask-install
    command: npm install
    ask: Is this one wanted?
  - { id: no-touch, command: touch, deny: Do not touch. }
`;

/** A daemon, an admitted page, and a way to act as an agent. */
async function opened() {
  const paths = scratchHome();
  writeFileSync(join(paths.rules, 'a.yaml'), RULES);
  const daemon = await startDaemon(paths);
  const { http } = daemon.info;
  const login = await fetch(daemon.dashboardLink(), { redirect: 'manual' });
  const headers = {
    cookie: (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    'x-hookline-key': login.headers.get('location')?.replace('/#key=', '') ?? '',
    origin: http,
  };
  const get = async (path: string) =>
    JSON.parse(await (await fetch(`${http}/api${path}`, { headers })).text());
  const post = async (path: string, body: object, more = headers) => {
    const response = await fetch(`${http}/api${path}`, {
      method: 'POST',
      headers: more,
      body: JSON.stringify(body),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const folder = scratchFolder();
  let calls = 0;
  const call = (payload: object) => {
    calls += 1;
    const about = { id: `call-${calls}`, receivedAt: Date.now(), agent: 'claude', event: null, env: {} };
    return daemon.hub.call({ ...about, payload: { session_id: 's1', cwd: folder, ...payload } });
  };
  const bash = (command: string) =>
    call({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: `t${calls}`,
    });
  return { daemon, paths, headers, get, post, call, bash };
}

test('sessions include their outcome', async () => {
  const { get, call, bash } = await opened();
  await call({ hook_event_name: 'UserPromptSubmit', prompt: 'Make it blue.' });
  await bash('touch x');
  await bash('npm test');
  const edit = { file_path: '/shop/a.css', old_string: 'red\nsame', new_string: 'blue\nsame' };
  for (const hook_event_name of ['PreToolUse', 'PostToolUse'])
    await call({
      hook_event_name,
      tool_name: 'Edit',
      tool_input: edit,
      tool_use_id: 'e1',
      tool_response: {},
    });
  await get('/search?q=blue');
  const { sessions } = await get('/sessions?days=7');
  expect(sessions).toEqual([
    expect.objectContaining({
      intent: 'Make it blue.',
      filesChanged: 1,
      lines: { added: 1, removed: 1 },
      tests: null,
      denied: 1,
      tokens: null,
      costUsd: null,
      doing: expect.objectContaining({
        activity: 'running',
        words: expect.stringMatching(/^Running npm test for/),
      }),
    }),
  ]);
});

test('a search returns the sessions of its results', async () => {
  const { get, call } = await opened();
  await call({ hook_event_name: 'UserPromptSubmit', prompt: 'Make it blue.' });
  const { hits, sessions, cut } = await get('/search?q=blue');
  expect(hits).toHaveLength(1);
  expect(sessions).toEqual([expect.objectContaining({ sessionId: 's1', intent: 'Make it blue.' })]);
  expect(cut).toBe(false);
});

test('health responds quickly and separates limits from problems', async () => {
  const { get, bash } = await opened();
  await bash('ls');
  const { agents, latency, failure, historyBytes } = await get('/health?range=1h');
  expect(agents.find(({ id }: { id: string }) => id === 'claude')).toMatchObject({
    installed: null,
    setUp: false,
    problems: [],
    limits: expect.any(Array),
  });
  expect(latency).toMatchObject({ range: '1h', calls: 1, p50: expect.any(Number), p95: expect.any(Number) });
  expect(latency.bars.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0)).toBe(1);
  expect([failure, historyBytes > 0]).toEqual(['open', true]);
  expect((await get('/health?range=toString')).latency.range).toBe('24h');
});

describe('rules', () => {
  test('include their history by day, packs and texts', async () => {
    const { get, bash } = await opened();
    await bash('touch x');
    const { rules, packs } = await get('/rules');
    expect(rules.find(({ id }: { id: string }) => id === 'no-touch')).toMatchObject({
      hits: 1,
      days: [...Array.from({ length: 13 }, () => 0), 1],
    });
    expect(packs.find(({ name }: { name: string }) => name === 'git')).toMatchObject({
      mode: 'on',
      summary: expect.stringContaining('Git'),
      rules: expect.any(Number),
    });
    expect(await get('/rule-text?rule=ask-install')).toEqual({
      text: 'id: ask-install\ncommand: npm install\nask: Is this one wanted?\n',
      where: 'a.yaml, line 2',
      editable: true,
    });
    expect((await get('/rule-text?rule=git/force-push')).editable).toBe(false);
    expect((await get('/rule-text?rule=none')).error.code).toBe('NOT_FOUND');
  });

  test('a draft is checked and tried without being saved', async () => {
    const { post, bash, paths } = await opened();
    await bash('npm install left-pad');
    await bash('yarn add zod');
    const text = 'id: ask-install\ncommand: [npm install, yarn add]\nask: Is this one wanted?\n';
    expect(
      (await post('/rules/check', { text: text.replace('command', 'comand'), rule: null })).body.problems,
    ).toEqual([{ line: 2, message: expect.stringContaining('did you mean command?') }]);
    const { body } = await post('/rules/try', { text, rule: 'ask-install' });
    expect(
      body.hits.map(({ subject, saved, draft }: Record<string, unknown>) => [subject, saved, draft]),
    ).toEqual([
      ['npm install left-pad', true, true],
      ['yarn add zod', false, true],
    ]);
    expect(readFileSync(join(paths.rules, 'a.yaml'), 'utf8')).toBe(RULES);
  });

  test('are saved in their file, or into a new one, and apply at once', async () => {
    const { post, bash, paths, daemon } = await opened();
    const text = 'id: ask-install\ncommand: [npm install, yarn add]\ndeny: No.\n';
    expect(await post('/rules/save', { text, rule: 'ask-install' })).toMatchObject({ status: 200 });
    expect(JSON.stringify(await bash('yarn add zod'))).toContain('No.');
    expect(
      await post('/rules/save', { text: 'id: new\ncommand: make\ndeny: Not so.\n', rule: null }),
    ).toMatchObject({
      body: { rule: 'new' },
    });
    expect(existsSync(join(paths.rules, 'own.yaml'))).toBe(true);
    expect(JSON.stringify(await bash('make'))).toContain('Not so.');
    expect(daemon.home.rules.inForce(null).problems).toEqual([]);
  });

  test.each([
    ['a mistake', { text: 'id: x\ncomand: y\ndeny: No.\n', rule: null }],
    ['an id that is taken', { text: 'id: no-touch\ncommand: y\ndeny: No.\n', rule: null }],
    ['a rule of a pack', { text: 'id: git/force-push\ncommand: y\nallow: true\n', rule: 'git/force-push' }],
    ['no text', { rule: null }],
  ])('%s is not saved', async (_, body) => {
    const { post, paths } = await opened();
    expect((await post('/rules/save', body)).status).toBe(400);
    expect(readFileSync(join(paths.rules, 'a.yaml'), 'utf8')).toBe(RULES);
    expect(existsSync(join(paths.rules, 'own.yaml'))).toBe(false);
  });

  test('switches a pack at once and in the settings, except one that protects Hookline', async () => {
    const { post, paths, daemon } = await opened();
    const inForce = () => daemon.home.rules.inForce(null).rules.filter(({ pack }) => pack === 'git');
    expect(inForce().length).toBeGreaterThan(0);
    expect((await post('/packs/git', { mode: 'off' })).status).toBe(200);
    expect(inForce()).toEqual([]);
    expect(readConfig(paths.config).packs).toEqual({ git: 'off' });
    expect(daemon.home.config.packs).toEqual({ git: 'off' });
    expect((await post('/packs/git', { mode: 'observe' })).status).toBe(200);
    expect(inForce().every(({ observing }) => observing)).toBe(true);
    expect((await post('/packs/self-protection', { mode: 'off' })).status).toBe(400);
    expect((await post('/packs/none', { mode: 'off' })).status).toBe(404);
  });

  test('saving a rule or switching a pack is recorded in the history', async () => {
    const { post, daemon } = await opened();
    const text = 'id: new\ncommand: make\ndeny: Not so.\n';
    await post('/rules/check', { text, rule: null });
    await post('/rules/save', { text, rule: null });
    await post('/packs/git', { mode: 'off' });
    await post('/packs/none', { mode: 'off' });
    const rows = daemon.home.db.prepare("SELECT event FROM events WHERE session_id = 'access'").all();
    expect(rows.map(({ event }) => JSON.parse(String(event)).message)).toEqual([
      expect.stringMatching(/\(dashboard\) saved the rule new\.$/),
      expect.stringMatching(/\(dashboard\) switched the pack git to off\.$/),
    ]);
  });

  test('shows pending changes with their diff and confirms what was shown', async () => {
    const { get, post, paths, daemon } = await opened();
    const inForce = () => daemon.home.rules.inForce(null).rules.filter(({ pack }) => pack === 'git').length;
    writeFileSync(
      paths.config,
      'http: {port: 0}\npacks: {git: off}\nnotify: {webhook: "http://u:hunter2@h/"}\n',
    );
    const pending = await get('/confirm');
    expect(pending).toMatchObject({
      lost: false,
      changes: [
        {
          file: 'config.yaml',
          lines: ['notify.webhook: set', 'packs.git: on → off'],
          mark: expect.any(String),
        },
      ],
    });
    expect(pending.changes[0].diff).toContainEqual({ mark: '+', text: 'packs: {git: off}' });
    expect(JSON.stringify(pending)).not.toContain('hunter2');
    expect((await post('/confirm', { seen: { 'config.yaml': 'other' } })).status).toBe(400);
    expect(inForce()).toBeGreaterThan(0);
    const seen = { 'config.yaml': pending.changes[0].mark };
    expect(await post('/confirm', { seen })).toMatchObject({ status: 200, body: { changes: [] } });
    expect(inForce()).toBe(0);
    expect(daemon.hub.alerts.list().filter(({ code }) => code === 'unconfirmed')).toEqual([]);
    const rows = daemon.home.db.prepare("SELECT event FROM events WHERE session_id = 'access'").all();
    expect(rows.map(({ event }) => JSON.parse(String(event)).message)).toContainEqual(
      expect.stringMatching(
        /\(dashboard\) confirmed config.yaml \(notify.webhook: set, packs.git: on → off\)\.$/,
      ),
    );
  });

  test('changes require the pass of a page', async () => {
    const { post, headers, daemon } = await opened();
    const text = 'id: new\ncommand: make\nallow: true\n';
    for (const without of [
      { ...headers, 'x-hookline-key': 'wrong' },
      { ...headers, cookie: '' },
      { ...headers, origin: 'http://evil.example' },
    ])
      for (const [path, body] of [
        ['/rules/save', { text, rule: null }],
        ['/packs/git', { mode: 'off' }],
        ['/confirm', { seen: {} }],
        ['/proposals/x/accept', {}],
      ] as const)
        expect((await post(path, body, without)).status).toBe(401);
    expect(daemon.home.rules.inForce(null).rules.some(({ id }) => id === 'new')).toBe(false);
  });
});

test('proposes a call that was allowed repeatedly, and grants it once accepted', async () => {
  const { get, post, bash, daemon } = await opened();
  const surface = daemon.hub.approvals.attach();
  daemon.hub.approvals.queue.subscribe(({ id, state }) => {
    if (state === 'pending') void post(`/approvals/${id}`, { decision: 'allow' });
  });
  for (let times = 0; times < 3; times += 1) await bash('npm install left-pad');
  surface();
  const { proposals } = await get('/proposals');
  expect(proposals).toEqual([expect.objectContaining({ text: 'npm install left-pad', times: 3 })]);
  expect((await post('/proposals/none/accept', {})).status).toBe(404);
  expect((await post(`/proposals/${proposals[0].id}/accept`, {})).status).toBe(200);
  expect((await get('/grants')).grants).toEqual([expect.objectContaining({ text: 'npm install left-pad' })]);
  expect((await get('/proposals')).proposals).toEqual([]);
});
