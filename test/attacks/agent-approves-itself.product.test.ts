import { copyFileSync, existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Access } from '../../src/model/people/access.ts';
import { apiSocketPath } from '../../src/wire/socket-path.ts';
import { BIN, filesBelow, runProgram, scratchProduct, until } from '../faults/product.ts';
import { hasScript, hasTmux, hasVim } from '../programs.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { openTerminal } from '../tui/terminal.ts';
import { approvals, attackScript, fakeAgent, type Waiting, waitingCall } from './self-approval.ts';

function copied(folder: string, name: string): string {
  const copy = join(folder, name);
  copyFileSync('/usr/bin/script', copy);
  return copy;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // It has ended by itself.
  }
}

/** Nothing was answered, no grant was left behind, and the history has the attempt. */
async function expectRefused({ product, id }: Waiting, reason: string): Promise<void> {
  expect(await product.pending()).toEqual([id]);
  expect(existsSync(product.paths.grants)).toBe(false);
  const attempts = (await product.events()).filter(({ source }) => source === 'hookline');
  expect(attempts.at(-1)).toMatchObject({
    type: 'notification',
    response: { decision: 'deny', reason: expect.stringContaining(reason) },
  });
  const shown = await product.read(['events']);
  expect(shown.stdout).toMatch(/hookline +notification Refused attempt: .* denied/);
}

async function said(file: string): Promise<string> {
  await until(`${file} is written`, () => existsSync(file));
  return readFileSync(file, 'utf8');
}

describe('an agent approves its own call', () => {
  test('from its shell, which is not a terminal', async () => {
    const waiting = await waitingCall();
    const ran = await waiting.attack('approve', waiting.id, '--scope', 'always');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('Only a person can answer approvals. This was not run in a terminal.');
    expect(ran.stderr).toContain('Run it yourself in a terminal');
    await expectRefused(waiting, 'This was not run in a terminal');
    expect((await waiting.product.read(['status'])).stdout).toMatch(/1 pending approval\. Run .* watch/);
    expect(await waiting.attack('deny', waiting.id)).toMatchObject({ code: 1 });
    await waiting.end();
  });

  test.skipIf(!hasTmux)('in its own terminal', async () => {
    const waiting = await waitingCall();
    const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id} --scope always`);
    const agent = fakeAgent(waiting.product, 'claude');
    const terminal = openTerminal(
      { columns: 80, rows: 10 },
      `${agent} -c 'sh ${script}; exit'`,
      waiting.product.env,
    );
    onTestFinished(terminal.close);
    expect(await said(file)).toContain('Claude Code started this command (process claude).');
    await expectRefused(waiting, 'Claude Code started this command');
    await waiting.end();
  });

  test.skipIf(!hasTmux)('in a terminal that it opens and its variables reveal', async () => {
    const waiting = await waitingCall();
    const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id}`);
    const env = { ...waiting.product.env, GEMINI_CLI: '1' };
    const terminal = openTerminal({ columns: 80, rows: 10 }, `sh ${script}`, env);
    onTestFinished(terminal.close);
    expect(await said(file)).toContain('Gemini CLI started this command (variable GEMINI_CLI).');
    await expectRefused(waiting, 'variable GEMINI_CLI');
    await waiting.end();
  });

  test.skipIf(!hasScript).each([
    // Excludes programs that open terminals for any command.
    ['as it is installed', (_: string) => '/usr/bin/script', false],
    ['as a copy with another name', (folder: string) => copied(folder, 't'), true],
    ['as a copy with the name of a terminal', (folder: string) => copied(folder, 'tmux'), true],
  ])(
    'in a terminal that `script` creates, %s, after its ancestors have exited',
    async (_, programIn, isProposed) => {
      const waiting = await waitingCall();
      const { folder, env } = waiting.product;
      const program = programIn(folder);
      const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id}`);
      const agent = fakeAgent(waiting.product, 'codex');
      // The agent ends at once, so that the program which makes the terminal is orphaned.
      const line = `setsid ${program} -qc 'sh ${script}' /dev/null > /dev/null 2>&1 < /dev/null &`;
      await runProgram(agent, ['-c', line], '', env, folder);
      const why = `(${realpathSync(program)}) opened this terminal.`;
      const answer = await said(file);
      expect(answer).toContain(why);
      expect(answer.includes('access: { terminals: [')).toBe(isProposed);
      await expectRefused(waiting, why);
      await waiting.end();
    },
  );

  test.skipIf(!hasVim)('in a terminal that a headless editor creates', async () => {
    const waiting = await waitingCall();
    const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id}`);
    const agent = fakeAgent(waiting.product, 'codex');
    const start = `call term_start(["sh", "${script}"])`;
    const line = `setsid vim -u NONE -es -c '${start}' -c 'sleep 60' -c 'qa!' > /dev/null 2>&1 < /dev/null & echo $!`;
    const { stdout } = await runProgram(agent, ['-c', line], '', waiting.product.env, waiting.product.folder);
    onTestFinished(() => endProcess(Number(stdout)));
    expect(await said(file)).toMatch(/vim\S* \(\S+\) opened this terminal\./);
    await expectRefused(waiting, 'opened this terminal');
    await waiting.end();
  });

  test('over HTTP, with the token that it read', async () => {
    const waiting = await waitingCall();
    const { paths } = waiting.product;
    const { http } = JSON.parse(readFileSync(paths.daemon, 'utf8'));
    const response = await fetch(`${http}/api/approvals/${waiting.id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${readFileSync(paths.token, 'utf8').trim()}` },
      body: JSON.stringify({ decision: 'allow', scope: 'always' }),
    });
    expect(response.status).toBe(403);
    await expectRefused(waiting, 'This token can send hook calls and read data');
    await waiting.end();
  });

  test.runIf(process.platform === 'linux')('over the socket, posing as another process', async () => {
    const waiting = await waitingCall();
    const socketPath = apiSocketPath(waiting.product.paths.root);
    const body = JSON.stringify({ decision: 'allow', scope: 'always', surface: 'terminal' });
    for (const headers of [{ 'x-hookline-proof': '1 00' }, { 'x-hookline-script-key': 'guess' }]) {
      const status = await new Promise((resolve, reject) => {
        const path = `/api/approvals/${waiting.id}`;
        const sent = request({ socketPath, path, method: 'POST', headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('error', reject);
        sent.end(body);
      });
      expect(status).toBe(403);
    }
    await expectRefused(waiting, 'This script key is unknown');
    await waiting.end();
  });
});

describe('other decisions that require a person', () => {
  const DECISIONS: readonly (readonly string[])[] = [
    ['grants', 'revoke', 'x'],
    ['grants', 'add', 'x'],
    ['rules', 'learn', '--yes'],
    ['rules', 'enforce', 'git', '--yes'],
    ['rules', 'import', 'claude', '--yes'],
    ['hooks', 'new', 'evil'],
    ['forget', '--match', 'touch', '--yes'],
    ['prune'],
    ['export', '--otlp', 'http://192.0.2.1/v1/traces'],
    ['trust', '--yes'],
    ['trust', '--revoke'],
    ['unlock'],
    ['away', '--for', '2h'],
    ['away', '--off'],
    ['back'],
    ['notify'],
    ['notify', 'test'],
    ['remove', 'claude', '--yes'],
    ['setup', 'claude', '--events=-PreToolUse', '--yes'],
    ['setup', 'claude', '--memory', '--yes'],
    ['import', '--yes'],
    ['script-key', 'create', 'mine'],
    ['script-key', 'revoke', 'test'],
  ];
  const NEEDS_DAEMON: readonly (readonly string[])[] = [['open', '--print'], ['down']];

  /** All files except those that a home writes itself. */
  const files = (folder: string) =>
    filesBelow(folder)
      // The attempt is recorded: the first record creates the signing key, and each one extends the chain. The first to
      // open a home notes its content as confirmed.
      .filter(
        ({ path }) =>
          !/hookline\.db|(?:machine-key\.pem|confirmed\.json|chain-head)$|\/(?:run|log|spool|compile-cache)\//.test(
            path,
          ),
      )
      .map(({ path, content }) => `${path}: ${content}`)
      .sort();

  test.each([
    ['with a daemon', true],
    ['without one', false],
  ])('are denied to an agent %s, without a change', async (_, withDaemon) => {
    const product = scratchProduct();
    await product.run(['setup', 'claude', '--yes']);
    if (withDaemon) await product.up();
    const before = files(product.folder);
    const all = withDaemon ? [...DECISIONS, ...NEEDS_DAEMON] : DECISIONS;
    for (const args of all) {
      const ran = await runProgram(process.execPath, [BIN, ...args], '', product.env, product.folder);
      expect([args, ran.code, ran.stdout]).toEqual([args, 1, '']);
      expect(ran.stderr).toContain('Only a person can');
    }
    expect(files(product.folder)).toEqual(before);
    expect((await product.daemonPid()) !== null).toBe(withDaemon);
    const attempts = (await product.events()).filter(({ source }) => source === 'hookline');
    expect(attempts).toHaveLength(all.length);
  });

  test('reading, trying and adding protection are free', async () => {
    const { env, folder } = scratchProduct();
    for (const args of [
      ['up'],
      ['status'],
      ['setup', 'claude', '--yes'],
      ['remove', 'claude', '--dry-run'],
      ['grants', 'list'],
      ['rules', 'list'],
      ['trust', '--list'],
      ['script-key', 'list'],
      ['approvals'],
      ['events'],
      ['unlock', '--lock'],
      ['away', '--summary'],
      ['export'],
    ])
      expect([args, (await runProgram(process.execPath, [BIN, ...args], '', env, folder)).code]).toEqual([
        args,
        0,
      ]);
  });
});

describe('who may decide', () => {
  test.skipIf(!hasTmux)('a person at a terminal', async () => {
    const waiting = await waitingCall();
    const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id}`);
    const terminal = openTerminal({ columns: 80, rows: 10 }, `sh ${script}`, waiting.product.env);
    onTestFinished(terminal.close);
    expect(await said(file)).toContain('exit 0');
    expect(await waiting.product.pending()).toEqual([]);
    const { stdout } = await waiting.product.read(['approvals', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'allowed',
      settledBy: expect.stringContaining('command line'),
    });
    rmSync(file);
  });

  test.skipIf(!hasTmux || !hasScript)('a person in a nested terminal', async () => {
    const waiting = await waitingCall();
    const { script, said: file } = attackScript(waiting.product, `approve ${waiting.id}`);
    const line = `script -qc 'sh ${script}' /dev/null`;
    const terminal = openTerminal({ columns: 80, rows: 10 }, line, waiting.product.env);
    onTestFinished(terminal.close);
    expect(await said(file)).toContain('exit 0');
    expect(await waiting.product.pending()).toEqual([]);
  });

  test('a script with a key, by name', async () => {
    const waiting = await waitingCall();
    // A key counts only where it is asked for.
    const env = { ...waiting.product.env, HOOKLINE_SCRIPT_KEY: 'x' };
    const args = [BIN, 'approve', waiting.id];
    const forgotten = await runProgram(process.execPath, args, '', env, waiting.product.folder);
    expect(forgotten).toMatchObject({ code: 1, stderr: expect.stringContaining('--as-script is missing') });
    await waiting.end();
    const { stdout } = await waiting.product.read(['approvals', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'denied', settledBy: 'script test (command line)' });
    const { stdout: events } = await waiting.product.read(['events', '--json']);
    expect(events).toContain('script test was allowed to answer approvals.');
  });
});

describe('without the defense the attack succeeds', () => {
  /** The daemon as it would be without it. */
  const allowAll: Access = { decide: async () => ({ allowed: true, by: 'anyone', scriptKey: null }) };

  test.each([
    ['with the defence', {}, 1],
    ['without the defence', { access: allowAll }, 0],
    ['with the defence, where nothing can ask the kernel', { native: () => null }, 1],
  ])('%s', async (_, parts, code) => {
    const product = scratchProduct({ config: approvals });
    const daemon = await startDaemon(product.paths, parts);
    const waiting = await waitingCall(product);
    const ran = await waiting.attack('approve', waiting.id, '--scope', 'always');
    expect(ran.code).toBe(code);
    expect(await waiting.product.pending()).toEqual(code === 0 ? [] : [waiting.id]);
    expect(existsSync(join(product.paths.root, 'grants.json'))).toBe(code === 0);
    expect(daemon.hub.approvals.queue.pending()).toHaveLength(code);
    if (code === 1) await waiting.end();
  });
});
