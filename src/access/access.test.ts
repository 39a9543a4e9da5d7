import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AccessDecision, Action } from '../model/access.ts';
import { shortId } from '../store/short-id.ts';
import { scratchFolder } from '../testing/scratch.ts';
import { createAccess } from './access.ts';
import { readProcess } from './processes.ts';
import { accessRecord } from './record.ts';
import { openScriptKeys } from './script-keys.ts';

function opened() {
  const file = join(scratchFolder(), 'script-keys.json');
  const keys = openScriptKeys(file);
  const recorded: [Action, AccessDecision][] = [];
  const record = (action: Action, decision: AccessDecision) => void recorded.push([action, decision]);
  return { file, keys, recorded, access: createAccess({ agents: [], keys, record, terminals: () => [] }) };
}

const process_ = (scriptKey: string | null) => ({ kind: 'process', pid: process.pid, scriptKey }) as const;

test('a script with a key is let through, by name, and that is recorded', async () => {
  const { keys, recorded, access } = opened();
  const key = keys.create('nightly') ?? '';
  expect(await access.decide('answer', process_(key))).toMatchObject({ allowed: true, by: 'script nightly' });
  expect(await access.decide('remove', { kind: 'unknown', scriptKey: key })).toMatchObject({ allowed: true });
  expect(recorded.map(([action]) => action)).toEqual(['answer', 'remove']);
  const [[action, decision] = ['answer', { allowed: true, by: '', scriptKey: null }] as const] = recorded;
  expect(accessRecord(action, decision).event).toMatchObject({
    message: 'script nightly was allowed to answer approvals.',
  });
});

test('a key opens nothing once it is revoked, and makes no other keys', async () => {
  const { keys, access } = opened();
  const key = keys.create('nightly') ?? '';
  expect(keys.create('nightly')).toBeNull();
  expect(await access.decide('script-key', process_(key))).toMatchObject({ allowed: false });
  expect(keys.revoke('nightly')).toBe(true);
  expect(keys.revoke('nightly')).toBe(false);
  for (const wrong of [key, '', 'x', 'hookline-script-'])
    expect(await access.decide('answer', process_(wrong))).toMatchObject({ allowed: false });
});

test('of a key only the hash is stored, for this user alone', () => {
  const { keys, file } = opened();
  const key = keys.create('nightly') ?? '';
  expect(key.length).toBeGreaterThan(40);
  expect(readFileSync(file, 'utf8')).not.toContain(key.slice(-20));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(keys.list()).toMatchObject([{ name: 'nightly' }]);
  writeFileSync(file, '{"keys": [{"name": "x"}]}');
  expect(keys.nameOf(key)).toBeNull();
});

test('the dashboard decides, the token does not', async () => {
  const { access, recorded } = opened();
  expect(await access.decide('answer', { kind: 'dashboard' })).toMatchObject({ allowed: true });
  expect(recorded).toEqual([]);
  const refused = await access.decide('answer', { kind: 'token' });
  expect(refused).toMatchObject({
    allowed: false,
    why: expect.stringContaining('Only a person may answer approvals.'),
  });
  expect(await access.decide('answer', { kind: 'unknown', scriptKey: null })).toMatchObject({
    allowed: false,
  });
  expect(recorded).toHaveLength(2);
});

test('whoever pauses protected rules is on record, a person too', async () => {
  const { access, recorded } = opened();
  expect(await access.decide('unlock', { kind: 'dashboard' })).toMatchObject({ allowed: true });
  const [entry] = recorded.map(([action, decision]) => accessRecord(action, decision).event);
  expect(entry).toMatchObject({
    sessionId: 'access',
    kind: 'person_access',
    message: expect.stringContaining('(dashboard) was allowed to pause protected rules.'),
  });
});

test('what to do instead fits what was tried', async () => {
  const { access } = opened();
  const hintOf = async (action: Action) => {
    const decision = await access.decide(action, { kind: 'token' });
    return decision.allowed ? '' : decision.hint;
  };
  expect(await hintOf('answer')).toContain('answer in the dashboard');
  expect(await hintOf('dashboard')).not.toContain('dashboard');
  expect(await hintOf('script-key')).not.toContain('script-key create');
});

test.runIf(process.platform === 'linux')('a process is what the system says it is', async () => {
  const child = spawn('sleep', ['60'], { detached: true, env: { CLAUDECODE: '1' }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const found = await readProcess(child.pid ?? 0);
  expect(found).toMatchObject({
    pid: child.pid,
    parent: process.pid,
    uid: process.getuid?.(),
    terminal: null,
    leadsSession: true,
    args: ['sleep', '60'],
    variables: new Set(['CLAUDECODE']),
  });
  expect(await readProcess(2 ** 22 + 1)).toBeNull();
});

test('a refused attempt has an id that is short enough to type', () => {
  const refused: AccessDecision = { allowed: false, agent: null, why: 'Not at a terminal.', hint: '' };
  expect(shortId(accessRecord('rules', refused).event.id)).toMatch(/^[0-9a-f]{6}$/);
});
