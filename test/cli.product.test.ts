import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { socketPath } from '../src/wire/socket-path.ts';
import { BEST_FORWARDER, BIN, bashPayload, readEvents, scratchProduct, until } from './faults/product.ts';
import { isRunning } from './support/processes.ts';

const NO_AUTOSTART = { HOOKLINE_NO_AUTOSTART: '1' };
const DENY_TOUCH = 'rules:\n  - id: no-touch\n    command: touch\n    deny: Do not touch.\n';

describe('up, down and status', () => {
  test('up returns when the daemon answers, down when it is gone, and both twice', async () => {
    const { run, paths } = scratchProduct();
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({
      daemon: null,
      agents: expect.arrayContaining([
        expect.objectContaining({ id: 'claude', installed: false, setUp: false }),
      ]),
    });
    expect(await run(['down'])).toMatchObject({ code: 0 });
    expect(await run(['up'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Started') });
    const { daemon } = JSON.parse((await run(['status', '--json'])).stdout);
    expect(daemon).toEqual({
      pid: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      socket: socketPath(paths.root),
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(await run(['up'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`pid ${daemon.pid}`),
    });
    expect(await run(['down'])).toMatchObject({ code: 0 });
    expect(isRunning(daemon.pid)).toBe(false);
    expect(await run(['down'])).toMatchObject({ code: 0 });
    expect(JSON.parse((await run(['status', '--json'])).stdout).daemon).toBeNull();
  });

  test('status names a broken hook that the daemon has not loaded yet', async () => {
    const { up, read, paths } = scratchProduct();
    await up();
    mkdirSync(paths.hooks, { recursive: true });
    writeFileSync(join(paths.hooks, 'guard.mjs'), 'export default {{{');
    expect((await read(['status'])).stdout).toContain('guard.mjs');
    expect(JSON.parse((await read(['status', '--json'])).stdout).hookProblems).toHaveLength(1);
  });

  test('several at once agree on one daemon', async () => {
    const { run } = scratchProduct();
    const ups = await Promise.all(Array.from({ length: 4 }, () => run(['up'])));
    expect(ups.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ups.map(() => ({ code: 0, stderr: '' })),
    );
    const pids = new Set(ups.map(({ stdout }) => /pid (\d+)/.exec(stdout)?.[1]));
    expect(pids.size).toBe(1);
    const [down, up] = await Promise.all([run(['down']), run(['up'])]);
    expect([down.code, up.code]).toEqual([0, 0]);
  });

  test('a second daemon in the foreground is refused', async () => {
    const { up, run } = scratchProduct();
    await up();
    const second = await run(['daemon', '--quiet']);
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Another daemon already serves'),
    });
  });

  test('settings that cannot be read are reported, not guessed', async () => {
    const { run, paths } = scratchProduct();
    writeFileSync(paths.config, 'failur: closed\n');
    const up = await run(['up']);
    expect(up.code).toBe(1);
    expect(up.stderr).toContain(`${paths.config}:1:1: failur: unknown setting; did you mean failure?`);
  });
});

describe('hooks and the daemon', () => {
  test('without a daemon a hook judges by itself and starts one, which has none of the session’s environment', async () => {
    const { hook, events, rules, daemonPid, paths } = scratchProduct();
    rules(DENY_TOUCH);
    const session = { SESSION_SECRET: 'hunter22', CLAUDE_PROJECT_DIR: '/tmp', NODE_OPTIONS: '--no-warnings' };
    const first = await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'), session);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    await until('a daemon answers', async () => (await daemonPid()) !== null);
    const pid = await daemonPid();
    if (process.platform === 'linux') {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((pair) => pair.split('=')[0]);
      expect(names).not.toContain('SESSION_SECRET');
      expect(names).not.toContain('CLAUDE_PROJECT_DIR');
      expect(names).not.toContain('NODE_OPTIONS');
    }
    // From now on no other program can answer.
    writeFileSync(join(paths.bin, 'forwarder.json'), '{"node":"/nowhere","script":"/nowhere","env":[]}');
    const second = await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'));
    expect(second.stdout).toBe(first.stdout);
    expect((await events()).map(({ sequence, response }) => [sequence, response.decision])).toEqual([
      [1, 'deny'],
      [2, 'deny'],
    ]);
  });

  test('HOOKLINE_NO_AUTOSTART keeps it from starting one', async () => {
    // With packs: calls without a decision pass silently.
    const { hook, paths, events, daemonPid } = scratchProduct({ packs: 'default' });
    expect(await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('ls'), NO_AUTOSTART)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readdirSync(paths.spool)).toHaveLength(1);
    expect(existsSync(join(paths.run, 'starting'))).toBe(false);
    expect(await events()).toHaveLength(1);
    expect(await daemonPid()).toBeNull();
  });

  test('a guard holds when the daemon and the settings are both broken', async () => {
    const { hook, paths, rules } = scratchProduct();
    rules(DENY_TOUCH);
    writeFileSync(paths.config, 'failure: [\n');
    const { code, stdout } = await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'), NO_AUTOSTART);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny');
  });

  test('a home with a path too long for a socket works all the same', async () => {
    const { run, read, hook, events, paths } = scratchProduct({
      below: `a-rather-${'long-'.repeat(30)}path/home`,
    });
    expect(paths.root.length).toBeGreaterThan(150);
    expect((await run(['up'])).code).toBe(0);
    const { daemon } = JSON.parse((await read(['status', '--json'])).stdout);
    expect(daemon.socket.length).toBeLessThan(100);
    const answer = await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('ls'), NO_AUTOSTART);
    expect(answer).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(paths.spool)).toEqual([]);
    expect(await events()).toHaveLength(1);
  });
});

describe('rule files', () => {
  test('command: touch matches any touch; rewrite changes those arguments and keeps the rest', async () => {
    const { hook, rules, up } = scratchProduct();
    await up();
    rules(`${DENY_TOUCH}  - command: npm test\n    rewrite: {command: npm test -- --run}\n`);
    const pre = (input: object) => hook(BEST_FORWARDER, 'PreToolUse', bashPayload('', { tool_input: input }));
    expect(JSON.parse((await pre({ command: 'touch x' })).stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Do not touch.'),
      },
    });
    const rewritten = await pre({ command: 'npm test', timeout: 5, description: 'd' });
    expect(JSON.parse(rewritten.stdout).hookSpecificOutput.updatedInput).toEqual({
      command: 'npm test -- --run',
      timeout: 5,
      description: 'd',
    });
    expect((await pre({ command: 'ls' })).stdout).toBe('');
    rules('rules: []\n');
    expect((await pre({ command: 'touch x' })).stdout).toBe('');
  });
});

describe('events', () => {
  const FIELDS = [
    'id',
    'type',
    'source',
    'sessionId',
    'sequence',
    'promptNumber',
    'toolNumber',
    'timestamp',
    'tool',
    'response',
    'degraded',
    'rules',
    'latencyMs',
  ];

  test('--json is one object a line, oldest first, with and without a daemon', async () => {
    const { run, read, up, hook, rules } = scratchProduct();
    rules(DENY_TOUCH);
    const call = (event: string, payload: string) => hook(BEST_FORWARDER, event, payload, NO_AUTOSTART);
    await call('UserPromptSubmit', bashPayload('', { hook_event_name: 'UserPromptSubmit', prompt: 'p' }));
    await call('PreToolUse', bashPayload('touch x'));
    const offline = readEvents((await run(['events', '--json'])).stdout);
    await up();
    await call('PreToolUse', bashPayload('ls', { session_id: 's2' }));
    const all = readEvents((await run(['events', '--json'])).stdout);
    expect(all.slice(0, 2)).toEqual(offline);
    for (const event of all) for (const field of FIELDS) expect(event).toHaveProperty(field);
    expect(all).toMatchObject([
      { type: 'before_agent', source: 'claude', sessionId: 's1', sequence: 1, promptNumber: 1, tool: null },
      {
        type: 'before_tool',
        sequence: 2,
        promptNumber: 1,
        toolNumber: 1,
        tool: { name: 'Bash', useId: 't1', input: { command: 'touch x' }, outcome: null },
        response: { decision: 'deny', reason: expect.stringContaining('Do not touch.') },
        rules: ['no-touch'],
        degraded: [],
      },
      { sessionId: 's2', sequence: 1, response: { decision: 'none' }, rules: [] },
    ]);
    const ids = async (...args: string[]) =>
      readEvents((await read(['events', '--json', ...args])).stdout).map(({ id }) => id);
    expect(await ids('--session', 's1')).toEqual(all.slice(0, 2).map(({ id }) => id));
    expect(await ids('--limit', '2')).toEqual(all.slice(1).map(({ id }) => id));
    expect(await ids('--session', 'unknown')).toEqual([]);
    expect(await read(['events', '--limit', 'x'])).toMatchObject({ code: 1, stdout: '' });
  });

  test('--follow goes on, over the daemon’s coming and going and what is spooled meanwhile', async () => {
    const { up, down, hook, env, folder } = scratchProduct();
    const call = (session: string) =>
      hook(BEST_FORWARDER, 'PreToolUse', bashPayload('ls', { session_id: session }), NO_AUTOSTART);
    await call('before');
    const following = spawn(process.execPath, [BIN, 'events', '--json', '--follow'], { env, cwd: folder });
    onTestFinished(() => void following.kill('SIGKILL'));
    let text = '';
    following.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const sessions = () => readEvents(text.slice(0, text.lastIndexOf('\n') + 1)).map((one) => one.sessionId);
    const seen = (session: string) => until(`${session} is shown`, () => sessions().includes(session));
    await seen('before');
    await call('spooled');
    await seen('spooled');
    await up();
    await call('daemon');
    await seen('daemon');
    await down();
    await call('down');
    await seen('down');
    expect(sessions()).toEqual(['before', 'spooled', 'daemon', 'down']);
    const code = new Promise((resolve) => following.on('close', resolve));
    following.kill('SIGINT');
    expect(await code).toBe(0);
  });

  test('a reader that goes away ends it without a word', async () => {
    const { hook, env, folder, events } = scratchProduct();
    await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('ls'), NO_AUTOSTART);
    expect(await events()).toHaveLength(1);
    const child = spawn('sh', ['-c', `"${process.execPath}" "${BIN}" events --json | true`], {
      env,
      cwd: folder,
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(said).toBe('');
  });
});

test('why tells who said what, and what could not be read', async () => {
  const { run, read, hook, rules, events, paths } = scratchProduct();
  rules(DENY_TOUCH);
  await hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'), NO_AUTOSTART);
  await hook(BEST_FORWARDER, 'PreToolUse', '{"half', NO_AUTOSTART);
  await hook(BEST_FORWARDER, 'Stop', '{"half', NO_AUTOSTART);
  const [denied, broken, unguarded] = await events();
  const why = await run(['why', denied?.id ?? '']);
  expect(why.code).toBe(0);
  expect(why.stdout).toContain('deny: Do not touch.');
  expect(why.stdout).toContain(`rule no-touch (${join(paths.rules, 'rules.yaml')}:2:5)`);
  const unread = await read(['why', broken?.id ?? '']);
  expect(unread.stdout).toContain('could not be read: Claude Code sent PreToolUse without a JSON object');
  expect(unread.stdout).toContain('it is not one JSON object (6 bytes)');
  expect(unread.stdout).toContain("deny: Denied: Hookline can't check this call");
  const passed = await read(['why', unguarded?.id ?? '']);
  expect(passed.stdout).toContain('could not be read: Claude Code sent Stop without a JSON object');
  expect(passed.stdout).toContain('nothing (no decision)');
  const json = JSON.parse((await read(['why', denied?.id ?? '', '--json'])).stdout);
  expect(json).toMatchObject({
    id: denied?.id,
    opinions: [{ by: 'no-touch' }],
    answer: { action: 'json_output' },
  });
  expect(await read(['why', 'unknown'])).toMatchObject({ code: 1, stdout: '' });
});

describe('try', () => {
  test('judges a call that is not made, and keeps nothing of it', async () => {
    const { run, read, rules, events } = scratchProduct();
    rules(DENY_TOUCH);
    const attempt = (...more: string[]) =>
      run(['try', '--agent', 'claude', '--tool', 'Bash', '--input', '{"command":"touch x"}', ...more]);
    expect(JSON.parse((await attempt('--json')).stdout)).toMatchObject({
      agent: 'claude',
      decision: 'deny',
      reason: expect.stringContaining('Do not touch.'),
      rules: ['no-touch'],
      answer: { action: 'json_output' },
      degraded: [],
    });
    expect((await attempt()).stdout).toContain('Do not touch.');
    expect(await read(['try', '--tool', 'Bash', '--input', 'nonsense'])).toMatchObject({
      code: 1,
      stdout: '',
    });
    expect(await read(['try', '--agent', 'cursed', '--tool', 'Bash'])).toMatchObject({ code: 1, stdout: '' });
    expect(await events()).toEqual([]);
  });

  test('names the hook that denied, and a hook file that does not compile', async () => {
    const { run, paths } = scratchProduct();
    mkdirSync(paths.hooks, { recursive: true });
    const hook =
      "import { defineHook, deny } from 'hookline';\n" +
      "export default defineHook({ name: 'no-lists', on: 'before_tool', run: () => deny('Not here.') });\n";
    writeFileSync(join(paths.hooks, 'lists.mjs'), hook);
    writeFileSync(join(paths.hooks, 'broken.mjs'), 'export default {{{');
    const { stdout } = await run([
      'try',
      '--agent',
      'claude',
      '--tool',
      'Bash',
      '--input',
      '{"command":"ls"}',
    ]);
    expect(stdout).toContain('hook no-lists');
    expect(stdout).toContain('broken.mjs: ');
  });

  test('leaves nothing behind, not even the home', async () => {
    const { run, paths } = scratchProduct();
    const rmHome = () => rmSync(paths.root, { recursive: true, force: true });
    rmHome();
    const call = { agent: 'claude', tool: 'Bash', input: { command: 'git push --force' } };
    await run(['try', '--agent', 'claude', '--tool', 'Bash', '--input', JSON.stringify(call.input)]);
    await run(['try', '--batch'], { input: `${JSON.stringify(call)}\n` });
    expect(existsSync(paths.root)).toBe(false);
  });

  test('--batch judges each line as if it were the first', async () => {
    const { run, rules } = scratchProduct();
    rules('rules: [{ id: first, command: ls, deny: Once., limit: 1 per hour }]\n');
    const line = JSON.stringify({ agent: 'claude', tool: 'Bash', input: { command: 'ls' } });
    const { stdout } = await run(['try', '--batch'], { input: `${line}\n${line}\n${line}\n` });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).decision),
    ).toEqual(['none', 'none', 'none']);
  });

  test('--batch takes the directory of lines without one from --cwd', async () => {
    const { run, rules, folder } = scratchProduct();
    rules(`rules: [{ id: inside, writes: '${folder}/project/**', deny: Not here. }]\n`);
    const write = { agent: 'claude', tool: 'Write', input: { file_path: 'a.txt', content: '' } };
    const input = [write, { ...write, cwd: folder }].map((line) => JSON.stringify(line)).join('\n');
    const { stdout } = await run(['try', '--batch', '--cwd', join(folder, 'project')], { input });
    const decisions = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).decision);
    expect(decisions).toEqual(['deny', 'none']);
  });

  test('--batch reads and writes a line each, in order', async () => {
    const { run, rules } = scratchProduct();
    rules(DENY_TOUCH);
    const input = [
      { id: 'a', agent: 'claude', tool: 'Bash', input: { command: 'touch x' } },
      { tool: 'Bash', input: { command: 'ls' }, cwd: '/tmp' },
    ];
    const { code, stdout } = await run(['try', '--batch'], {
      input: `${input.map((line) => JSON.stringify(line)).join('\n\n')}\n`,
    });
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { id: 'a', decision: 'deny', reason: expect.stringContaining('Do not touch.'), rules: ['no-touch'] },
      { id: 3, decision: 'none', reason: null, rules: [] },
    ]);
    expect(await run(['try', '--batch'], { input: '{"tool":5}\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Line 1'),
    });
  });
});

describe('a command that is called the wrong way', () => {
  test.each([
    [['no-such-command']],
    [['events', '--jsno']],
    [['setup', 'cursed', '--yes']],
    [['setup', 'claude', '--scope', 'moon', '--yes']],
    [['why']],
    [['up', 'and', 'away']],
  ])('%j says so and exits with 1, never 2', async (args) => {
    const { run } = scratchProduct();
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^hookline: .+\n.+/);
    expect(stderr).not.toContain('Unexpected error');
  });

  test.each([
    [['effect', '--all'], 'Did you mean `hookline rules effect`?'],
    [
      ['revoke', '3fa9'],
      'Did you mean `hookline devices revoke` or `hookline script-key revoke` or `hookline grants revoke`?',
    ],
    [['agent'], 'See `hookline --help`.'],
    [['statsu'], 'Did you mean `hookline stats`?'],
    [['remove', 'Claud Code'], 'Did you mean claude?'],
  ])('%j says what was probably meant', async (args, hint) => {
    const { read } = scratchProduct();
    const { stderr } = await read(args);
    // Where it is not on PATH, hints name the program as it was called.
    expect(stderr.replaceAll(/node \S+hookline\.js/g, 'hookline')).toContain(hint);
  });

  test('alone it shows where one stands and the next step; --version and --help work', async () => {
    const { run } = scratchProduct();
    expect((await run([])).stdout).toContain('Next: ');
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run(['--help'])).stdout).toContain('hookline <command>');
    expect((await run(['events', '--help'])).stdout).toContain('--follow');
  });

  test('the help has our colours where they are wanted, and nothing else that acts on a terminal', async () => {
    const { run } = scratchProduct();
    const { stdout } = await run(['--help'], { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(stdout.startsWith('\x1b[1mhookline\x1b[22m ')).toBe(true);
    const [, ...sequences] = stdout.split('\x1b');
    expect(sequences.filter((text) => !/^\[\d+m/.test(text))).toEqual([]);
  });
});
