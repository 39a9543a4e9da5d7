import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
// Commands load it on demand. Loaded here, it doesn't count against the time of the first test.
import '../../client/ingest-without-daemon.ts';
import { printed } from '../../../test/support/cli.ts';
import { openTestHistory, turn } from '../../../test/support/history/history.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { accessRecord, alertRecord, changeRecord } from '../../access/record.ts';
import { openScriptKeys } from '../../access/script-keys.ts';
import { openHistoryReader } from '../../client/history.ts';
import { homePaths } from '../../home/paths.ts';
import { openChainHead } from '../../store/chain/head.ts';
import { closeStore, openStore } from '../../store/database/open.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import type { Command } from '../command.ts';
import backtest from '../rules/backtest.ts';
import events from './events.ts';
import exportCommand from './export.ts';
import forget from './forget.ts';
import handoff from './handoff.ts';
import memory from './memory.ts';
import note from './note.ts';
import prune from './prune.ts';
import search from './search.ts';
import sessions from './sessions.ts';
import show from './show.ts';
import stats from './stats.ts';
import verify from './verify.ts';
import why from './why.ts';

let home = '';

/** A home with two sessions that were not observed yet, and no daemon. */
beforeEach(() => {
  home = scratchFolder();
  const history = openTestHistory();
  const now = Date.now();
  for (const payload of turn('one', 'Fix the auth bug')) history.send('claude', payload, now - 2000);
  for (const payload of turn('two', 'Paint the button', 'web/button.css'))
    history.send('claude', payload, now);
  closeStore(history.db);
  copyFileSync(history.path, join(home, 'hookline.db'));
  vi.stubEnv('HOOKLINE_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const said = (command: Command, ...args: string[]) => printed(command, args);

test('search', async () => {
  const hits = (await said(search, 'auth', 'bug', '--json')).map((line) => JSON.parse(line));
  expect(hits[0]).toMatchObject({ sessionId: 'one', observation: { kind: 'intent' } });
  expect(await said(search, 'npm', '--file', 'web/**', '--kind', 'command', '--since', '1d')).toHaveLength(1);
  expect(await said(search, 'npm', '--agent', 'codex')).toEqual([
    expect.stringMatching(
      /^No call matches "npm" --agent codex\. Without these filters there are 12 events, latest at /,
    ),
  ]);
  await expect(search.run(['npm', '--agent', 'claud'])).rejects.toThrow('did you mean claude?');
  await expect(search.run(['npm', '--since', 'soon'])).rejects.toThrow('--since takes');
  await expect(search.run(['npm', '--kind', 'nothing'])).rejects.toThrow('Unknown kind');
  await expect(search.run([])).rejects.toThrow(
    'Missing search text. Give words or a filter, such as `hookline search npm publish`.',
  );
});

test('a note is listed, found first, and told to new sessions', async () => {
  const project = ['--project', '/project'];
  expect(await said(note, ...project)).toEqual(['No notes for this project yet.']);
  const [line = ''] = await said(note, 'The', 'auth bug is by design.', ...project);
  const id = /note-[0-9a-f]+/.exec(line)?.[0] ?? '';
  expect(line).toMatch(/^Noted as note-[0-9a-f]+, by .+\.$/);
  expect(JSON.parse((await said(note, ...project, '--json'))[0] ?? '')).toMatchObject({
    ...{ id, text: 'The auth bug is by design.', projectId: '/project' },
  });
  const [first = ''] = await said(search, 'auth', 'bug', '--json');
  expect(JSON.parse(first)).toMatchObject({ sessionId: id, observation: { kind: 'note' } });
  expect((await said(memory, '/project'))[0]).toContain('Notes:\n- The auth bug is by design. (');
  await expect(note.run([' '])).rejects.toThrow('The note is empty.');
  await expect(note.run(['long '.repeat(500)])).rejects.toThrow('at most 2000 fit');
});

test('a handoff has what was asked, what came of it, and what is still red', async () => {
  const [page = ''] = await said(handoff, 'one');
  expect(page).toContain('# Handoff: project\n');
  for (const part of [
    '## Task\n\n- Fix the auth bug',
    '## State\n\nDone with: Fix the auth bug',
    '## Failing tests\n\n- `npm test` failed: rejects bad passwords',
    '## Changed files\n\n- src/login.ts',
  ])
    expect(page).toContain(part);
  expect((await said(handoff))[0]).toContain('Paint the button');
  await expect(handoff.run(['three'])).rejects.toThrow('Unknown session three.');
});

test('sessions and show', async () => {
  const list = (await said(sessions, '--json')).map((line) => JSON.parse(line));
  expect(list.map(({ sessionId }) => sessionId)).toEqual(['two', 'one']);
  expect(list[1].summary).toBe(
    'Fix the auth bug · 1 file changed, 1 command, tests failing (1 run), 1 error',
  );
  const [text = ''] = await said(show, 'one');
  expect(text).toContain('claude one, in /project on main\n');
  expect(
    text
      .split('\n')
      .slice(4)
      .map((line) => line.slice(9).replace(/ {2,}.*/, '')),
  ).toEqual(['Bash npm test', 'Edit /project/src/login.ts', 'reply Done with: Fix the auth bug']);
  await expect(show.run(['three'])).rejects.toThrow('Unknown session three.');
});

test("Hookline's own records are not listed as a session", async () => {
  const db = openStore(join(home, 'hookline.db'));
  const recorder = createRecorder(db, { redact: (text) => text });
  const record = accessRecord('rules', { allowed: false, why: 'No person.', hint: '', agent: null });
  recorder.commit({ ...record, event: recorder.place(record.event) });
  closeStore(db);
  expect((await said(show, '--last'))[0]).toContain('claude two');
  expect((await said(why, '--last'))[0]).toContain('Bash npm test');
  const reader = openHistoryReader(homePaths());
  reader.readOn(1);
  expect(reader.sessions(0).map(({ source }) => source)).toEqual(['claude', 'claude']);
  reader.close();
  expect(await said(sessions)).toHaveLength(2);
  expect(await said(sessions, '--agent', 'hookline')).toHaveLength(1);
});

test('the same filters everywhere, and what is wrong with them', async () => {
  const rows = await said(events, '--session', 'on', '--failed');
  expect(rows).toEqual([expect.stringMatching(/ claude project {6}Bash npm test .* failed .*event…$/)]);
  expect(await said(events, '--project', 'project', '--limit', '1')).toHaveLength(1);
  expect(await said(sessions, '--failed', '--until', 'yesterday')).toEqual([
    expect.stringContaining('No session matches --failed --until yesterday.'),
  ]);
  expect(await said(sessions, '--since', '2w', '--failed')).toHaveLength(2);
  expect(await said(events, '--json', '--failed')).toHaveLength(4);
  expect(await said(search, '--failed', '--since', 'yesterday')).toHaveLength(2);
  for (const command of [events, sessions, search, stats, backtest]) {
    const words = command === search ? ['npm'] : [];
    await expect(command.run([...words, '--agent', 'gemni'])).rejects.toThrow('did you mean gemini?');
    await expect(command.run([...words, '--session', 'zzz'])).rejects.toThrow('Unknown session "zzz"');
    await expect(command.run([...words, '--project', '/nowhere'])).rejects.toThrow(
      'No history for a project',
    );
    await expect(command.run([...words, '--until', 'soon'])).rejects.toThrow('--until takes');
    await expect(command.run([...words, '--limit', '0'])).rejects.toThrow('--limit takes a number from 1 on');
    for (const fate of ['--denied', '--asked', '--failed']) await said(command, ...words, fate);
  }
});

test('why --last tells of the call that went wrong last', async () => {
  const [text = ''] = await said(why, '--last');
  expect(text).toMatch(/^Bash npm test\n {2}failed {2}claude · project · main · /);
  await expect(why.run([])).rejects.toThrow('Missing event ID');
});

test('why says of what Hookline denied itself that no agent was answered', async () => {
  const db = openStore(homePaths(home).database);
  const recorder = createRecorder(db, { redact: (text) => text });
  const record = accessRecord('rules', { allowed: false, why: 'No person.', hint: '', agent: null });
  const event = recorder.place(record.event);
  recorder.commit({ ...record, event });
  closeStore(db);
  const text = (await said(why, event.id)).join('\n');
  expect(text).toContain('Sent to the agent  nothing, because no agent asked');
  expect(text).not.toContain('Hookline took');
});

test('stats and memory', async () => {
  const [numbers = ''] = await said(stats, '--json');
  expect(JSON.parse(numbers)).toMatchObject({ events: 12, sessions: 2, prompts: 2 });
  const [failed = ''] = await said(stats, '--failed', '--json');
  expect(JSON.parse(failed)).toMatchObject({
    events: 4,
    prompts: 0,
    tools: [{ name: 'Bash', n: 2, failed: 2 }],
  });
  expect((await said(stats, '--denied'))[0]).toMatch(/^No event matches --denied --since 7d\./);
  const [one = ''] = await said(stats, '--limit', '1', '--json');
  expect(JSON.parse(one).tools).toHaveLength(1);
  expect((await said(stats))[0]).toContain('12 events, 2 sessions, 2 prompts');
  const [pack = ''] = await said(memory, '/project', '--json');
  expect(JSON.parse(pack)).toMatchObject({ on: false, text: expect.stringContaining('Fix the auth bug') });
});

test('export', async () => {
  const out = join(home, 'out.jsonl');
  await expect(exportCommand.run(['--out', out, '--session', 'zzz'])).rejects.toThrow('Unknown session');
  expect(await said(exportCommand, '--out', out, '--session', 'on')).toEqual([`Wrote 12 lines to ${out}.`]);
  const lines = readFileSync(out, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toHaveLength(12);
});

test('forget and prune', async () => {
  const key = openScriptKeys(homePaths(home).scriptKeys).create('test') ?? '';
  vi.stubEnv('HOOKLINE_SCRIPT_KEY', key);
  expect(await said(forget, 'one', '--yes', '--json', '--as-script')).toEqual(['{"events":6,"sessions":1}']);
  expect(await said(search, 'auth')).toEqual([expect.stringContaining('No call matches "auth".')]);
  await expect(forget.run(['two', '--match', 'x', '--yes'])).rejects.toThrow('Give a session');
  writeFileSync(join(home, 'config.yaml'), 'retention: { days: 0 }\n');
  const [gone = ''] = await said(prune, '--json', '--as-script');
  // One of them is the use of the script key by the first command.
  expect(JSON.parse(gone)).toMatchObject({ events: 7, sessions: 2 });
});

test('verify reports a foreign trigger in the database, also without a daemon', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const db = openStore(homePaths(home).database);
  db.exec('CREATE TRIGGER quiet BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END');
  db.close();
  expect(await verify.run(['--json'])).toBe(1);
  const report = JSON.parse(String(log.mock.calls[0]?.[0]));
  expect(report.problems.map(({ what }: { what: string }) => what)).toContain('schema');
  log.mockRestore();
  // By now it is removed, and the history has the alert.
  const [event = ''] = await said(events, '--session', 'access', '--json');
  expect(event).toContain('The trigger quiet of the database is not one of ours.');
});

test('verify reports lost records first and exits with 1, even after new records', async () => {
  const head = openChainHead(homePaths(home).chainHead);
  head.write({ link: 1_000, hash: '0'.repeat(64) });
  head.close();
  for (let time = 0; time < 2; time++) {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(await verify.run([])).toBe(1);
    expect(String(log.mock.calls[0]?.[0]).split('\n')[0]).toMatch(
      /\d+ records are missing: the database was damaged, or an older copy was restored\./,
    );
    log.mockRestore();
  }
  // The first one recorded the gap, and the history has the alert.
  expect(await said(events, '--session', 'access')).toEqual([
    expect.stringMatching(/Alert: The newest \d+ records of/),
  ]);
});

test('the session access shows who paused rules, what was changed and alerts, without --all', async () => {
  const db = openStore(homePaths(home).database);
  const recorder = createRecorder(db, { redact: (text) => text });
  for (const record of [
    accessRecord('unlock', { allowed: true, by: 'eve', scriptKey: null }),
    changeRecord('rules', 'eve', 'saved the rule x'),
    alertRecord({ code: 'x', message: 'A file was changed.', fix: null }),
  ])
    recorder.commit({ ...record, event: recorder.place(record.event) });
  closeStore(db);
  const rows = await said(events, '--session', 'access');
  for (const [at, text] of [
    'Person: eve was allowed to',
    'Person: eve saved the rule x',
    'Alert: A file was',
  ].entries())
    expect(rows[at]).toContain(text);
  expect(rows).toHaveLength(3);
});

test('verify without a key that can be read says so', async () => {
  mkdirSync(homePaths(home).machineKey);
  await expect(verify.run([])).rejects.toThrow('is not a key');
});
