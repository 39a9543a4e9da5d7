import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import type { AccessDecision, Action } from '../model/people/access.ts';
import { shortEventId } from '../store/read/short-id.ts';
import { createAccess } from './access.ts';
import { type ProcessInfo, type ReadProcess, readProcess } from './processes.ts';
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
    why: expect.stringContaining('Only a person can answer approvals.'),
  });
  expect(await access.decide('answer', { kind: 'unknown', scriptKey: null })).toMatchObject({
    allowed: false,
  });
  expect(recorded).toHaveLength(2);
});

/** Asked by a command in a terminal that this program has opened. */
async function unlockIn(executable: string, listed: readonly string[] = []) {
  const { keys } = opened();
  const recorded: [Action, AccessDecision][] = [];
  const record = (action: Action, decision: AccessDecision) => void recorded.push([action, decision]);
  const decide = createAccess({
    agents: [],
    keys,
    record,
    terminals: () => listed,
    read: terminalOf(executable),
  });
  const caller = { kind: 'process', pid: 3, scriptKey: null } as const;
  return {
    decision: await decide.decide('unlock', caller),
    answer: await decide.decide('answer', caller),
    recorded,
  };
}

function terminalOf(executable: string): ReadProcess {
  const base = {
    uid: process.getuid?.() ?? 0,
    isRoots: false,
    isInstalled: true,
    args: [],
    variables: new Set<string>(),
  };
  const inside = { ...base, terminal: '1', inForeground: true };
  const chain: Readonly<Record<number, ProcessInfo>> = {
    3: { ...inside, pid: 3, parent: 2, leadsSession: false, executable: 'node', path: '/usr/bin/node' },
    2: { ...inside, pid: 2, parent: 9, leadsSession: true, executable: 'bash', path: '/usr/bin/bash' },
    9: {
      ...base,
      ...{ pid: 9, parent: 1, terminal: null, inForeground: false, leadsSession: true },
      ...{ executable, path: `/usr/bin/${executable}` },
    },
  };
  return async (pid) => chain[pid] ?? null;
}

test('records who pauses protected rules, even a person', async () => {
  const { decision, recorded } = await unlockIn('xterm');
  expect(decision).toMatchObject({ allowed: true });
  const [entry] = recorded.map(([action, one]) => accessRecord(action, one).event);
  expect(entry).toMatchObject({
    sessionId: 'access',
    kind: 'person_access',
    message: expect.stringContaining('was allowed to pause protected rules.'),
  });
});

test.each(['tmux', 'screen', 'zellij', 'wezterm-gui'])(
  'in %s a person answers, and does not pause protected rules',
  async (multiplexer) => {
    const { decision, answer } = await unlockIn(multiplexer);
    expect(answer).toMatchObject({ allowed: true });
    expect(decision).toMatchObject({
      allowed: false,
      why: expect.stringContaining(`through ${multiplexer}`),
      hint: expect.stringContaining('ssh -t HOST hookline unlock'),
    });
  },
);

test('a program that a setting calls a terminal is one for answers, and not for pausing protected rules', async () => {
  const { decision, answer } = await unlockIn('myterm', ['/usr/bin/myterm']);
  expect(answer).toMatchObject({ allowed: true });
  expect(decision).toMatchObject({ allowed: false });
});

test('a program that gives a terminal to anything is not proposed as one', async () => {
  expect((await unlockIn('myterm')).answer).toMatchObject({ hint: expect.stringContaining('terminals') });
  for (const program of ['script', 'bash', 'python3', 'node'])
    expect((await unlockIn(program)).answer).toMatchObject({
      hint: expect.not.stringContaining('terminals'),
    });
});

test('neither the dashboard nor a key pauses protected rules', async () => {
  const { access, keys } = opened();
  const key = keys.create('nightly') ?? '';
  for (const caller of [{ kind: 'dashboard' }, process_(key)] as const)
    expect(await access.decide('unlock', caller)).toMatchObject({ allowed: false });
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
  expect(shortEventId(accessRecord('rules', refused).event.id)).toMatch(/^[0-9a-f]{6}$/);
});
