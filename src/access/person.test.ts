import { expect, test } from 'vitest';
import { AGENTS } from '../agents/_registry.ts';
import { judgeProcess } from './person.ts';
import type { ProcessInfo } from './processes.ts';

const UID = 1000;
const agents = [...AGENTS.values()];

const base: ProcessInfo = {
  pid: 0,
  parent: 0,
  uid: UID,
  terminal: '34816',
  leadsSession: false,
  inForeground: true,
  isRoots: false,
  executable: 'bash',
  path: '/usr/bin/bash',
  isInstalled: true,
  args: ['bash'],
  variables: new Set(['PATH']),
};
const none = { terminal: null, leadsSession: true, inForeground: false };

const user = { uid: UID, terminals: ['/home/me/.local/kitty.app/bin/kitty', '/home/me/ide/', 'myterm'] };

/** Processes from the one that asks upwards; the last is the child of the first process of the system. */
function judge(...chain: readonly Partial<ProcessInfo>[]) {
  const table = new Map(
    chain.map((one, at) => [
      100 - at,
      { ...base, pid: 100 - at, parent: at + 1 < chain.length ? 99 - at : 1, ...one },
    ]),
  );
  table.set(1, { ...base, ...none, pid: 1, uid: 0, executable: 'init', args: ['init'] });
  return judgeProcess(100, agents, async (pid) => table.get(pid) ?? null, user);
}

const hookline = { executable: 'node', args: ['node', '/usr/bin/hookline', 'approve', 'x'] };
const shell = { leadsSession: true };
const terminal = { ...none, executable: 'kitty', path: '/usr/bin/kitty', args: ['kitty'] };

/** A program that opens a terminal, and has none itself. */
const opener = (path: string, more: Partial<ProcessInfo> = {}) => ({
  ...none,
  path,
  executable: path.slice(path.lastIndexOf('/') + 1),
  ...more,
});
/** Of processes of root, and of protected ones, only the name is visible. */
const hidden = (executable: string, more: Partial<ProcessInfo> = {}) => ({
  ...none,
  executable,
  path: null,
  isInstalled: false,
  ...more,
});
const roots = { uid: 0, isRoots: true };
const inside = { terminal: '34817' };
const insideShell = { ...shell, ...inside };

test.each([
  ['in a terminal', [hookline, shell, terminal]],
  ['over ssh', [hookline, shell, hidden('sshd'), hidden('sshd', roots), hidden('sshd', roots)]],
  ['over ssh, as root', [hookline, shell, opener('/usr/lib/openssh/sshd-session', { isRoots: true })]],
  ['on a console', [hookline, {}, { ...hidden('login', roots), terminal: '34816' }]],
  ['on a console that login watches', [hookline, shell, hidden('login', roots)]],
  ['in a container', [hookline, { ...shell, parent: 0 }]],
  ['in Windows’ Linux', [hookline, shell, hidden('Relay(812)', roots)]],
  ['in an editor', [hookline, shell, opener('/usr/share/code/code')]],
  ['in a terminal that they have added', [hookline, shell, opener('/usr/bin/myterm')]],
  [
    'in a terminal of their own folder that they have added',
    [hookline, shell, opener('/home/me/.local/kitty.app/bin/kitty', { isInstalled: false })],
  ],
  [
    'in a folder of programs that they have added',
    [hookline, shell, opener('/home/me/ide/v2/bin/java', { isInstalled: false })],
  ],
  [
    'in a terminal inside their terminal',
    [
      { ...hookline, ...inside },
      insideShell,
      opener('/usr/bin/script', { terminal: '34816', leadsSession: false }),
      shell,
      terminal,
    ],
  ],
  ['in a multiplexer', [hookline, shell, opener('/usr/bin/tmux', { args: ['tmux', 'new', '-s', 'claude'] })]],
  ['in a script of their own', [hookline, { args: ['bash', './approve-all.sh'] }, shell, terminal]],
  [
    'with an editor that has a file of that name',
    [hookline, { executable: 'vim', args: ['vim', 'codex'] }, shell, terminal],
  ],
])('a person %s', async (_, chain) => {
  expect(await judge(...chain)).toMatchObject({ person: true });
  // The same again: what is known of the agents is not used up.
  expect(await judge(...chain)).toMatchObject({ person: true });
});

test.each([
  ['claude', { executable: 'claude', args: ['claude'] }],
  ['claude', { executable: 'node', args: ['node', '/x/node_modules/@anthropic-ai/claude-code/cli.js'] }],
  ['claude', { variables: new Set(['CLAUDECODE']) }],
  [
    'gemini',
    { executable: 'node', args: ['/usr/bin/node', '--no-warnings', '/usr/local/bin/gemini', '-p', 'x'] },
  ],
  ['gemini', { variables: new Set(['GEMINI_CLI']) }],
  ['codex', { executable: 'codex', args: ['codex', 'exec'] }],
  ['codex', { variables: new Set(['CODEX_SANDBOX_NETWORK_DISABLED']) }],
])('what %s started is its own, in a terminal or not: %o', async (id, agent) => {
  for (const chain of [
    [hookline, {}, agent, shell, terminal],
    [{ ...hookline, ...none }, agent, shell, terminal],
    [{ ...hookline, ...agent }, shell, terminal],
    [hookline, shell, opener('/usr/bin/script'), agent, shell, terminal],
    [hookline, shell, { ...terminal, ...agent }],
  ]) {
    expect(await judge(...chain)).toMatchObject({ person: false, agent: id });
    expect(await judge(...chain)).toMatchObject({ person: false, agent: id });
  }
});

test.each([
  ['without a terminal', [{ ...hookline, ...none }, shell, terminal], 'This was not run in a terminal'],
  ['in the background', [{ ...hookline, inForeground: false }, shell, terminal], 'in the background'],
  ['whose shell has ended', [hookline], 'has exited'],
  ['that was left to a service manager', [hookline, { ...none, executable: 'systemd' }], 'has exited'],
  ['whose terminal has ended', [hookline, shell], 'The process that opened this terminal has exited'],
  [
    'in a terminal that a program made',
    [hookline, shell, opener('/usr/bin/script')],
    'script (/usr/bin/script)',
  ],
  ['in a terminal of an interpreter', [hookline, shell, opener('/usr/bin/python3.12')], 'python3.12 (/usr'],
  [
    'in a terminal of an editor without a window',
    [hookline, shell, opener('/usr/bin/vim.basic')],
    'vim.basic',
  ],
  [
    'in a terminal of a program that has the name of a terminal',
    [hookline, shell, opener('/home/me/kitty', { isInstalled: false })],
    'kitty (/home/me/kitty) opened this terminal',
  ],
  [
    'in a terminal of a program that has a name which the user added',
    [hookline, shell, opener('/home/me/myterm', { isInstalled: false })],
    'myterm (/home/me/myterm)',
  ],
  ['in a terminal of a hidden program', [hookline, shell, hidden('tmux')], "its file can't be read"],
  ['in a terminal of a program that poses as sshd', [hookline, shell, hidden('sshd')], 'sshd (its file'],
  [
    'in a terminal of a program that poses as sshd, and was left to the system',
    [hookline, shell, hidden('sshd', { parent: 1 })],
    'sshd (its file',
  ],
  ['in a terminal that su made', [hookline, shell, hidden('su', { uid: 0 })], 'su (its file'],
  [
    'in a terminal of a su that is called sshd',
    [hookline, shell, hidden('sshd', { uid: 0 })],
    'sshd (its file',
  ],
  [
    'in a real terminal inside one that a program made',
    [
      { ...hookline, ...inside },
      insideShell,
      { ...terminal, terminal: '34816', leadsSession: false },
      shell,
      opener('/usr/bin/script'),
    ],
    'script (/usr/bin/script)',
  ],
  [
    'in a terminal inside one whose shell has ended',
    [
      { ...hookline, ...inside },
      insideShell,
      opener('/usr/bin/script', { terminal: '34816', leadsSession: false }),
    ],
    'has exited',
  ],
  [
    'whose parent cannot be seen',
    [hookline, { ...shell, parent: 77 }],
    'The process that opened this terminal has exited',
  ],
  ['of another user', [{ ...hookline, uid: 1 }, shell, terminal], 'another user'],
])('a process %s is not a person', async (_, chain, why) => {
  expect(await judge(...chain)).toMatchObject({ person: false, why: expect.stringContaining(why) });
});

test('a process that is gone is not a person', async () => {
  expect(await judgeProcess(5, agents, async () => null, user)).toMatchObject({ person: false });
});
