import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.ts';
import { RUN_VARIABLE } from '../../src/wire/run-id.ts';
import { BIN, type Product, type Ran, scratchProduct, until } from '../faults/product.ts';
import { isRunning } from '../support/processes.ts';

const Result = v.looseObject({
  type: v.literal('result'),
  outcome: v.string(),
  exitCode: v.number(),
  message: v.nullable(v.string()),
  lastMessage: v.nullable(v.string()),
  sessionId: v.nullable(v.string()),
  runId: v.nullable(v.string()),
  usage: v.null(),
  denied: v.array(v.unknown()),
  agentExitCode: v.nullable(v.number()),
  durationMs: v.number(),
});
const EventLine = v.looseObject({
  type: v.literal('event'),
  event: v.looseObject({
    id: v.string(),
    type: v.string(),
    tool: v.nullable(v.looseObject({ name: v.string() })),
    response: v.looseObject({ decision: v.string(), reason: v.optional(v.string()) }),
  }),
});
const WaitingLine = v.looseObject({
  type: v.literal('waiting'),
  id: v.string(),
  tool: v.nullable(v.string()),
});
const Line = v.variant('type', [Result, EventLine, WaitingLine]);

interface Bench extends Product {
  readonly path: string;
  exec(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
}

/** A machine with a pretended agent; set up, unless told otherwise. */
async function bench(isSetUp = true): Promise<Bench> {
  const product = scratchProduct();
  const programs = join(product.folder, 'programs');
  mkdirSync(programs);
  copyFileSync(fileURLToPath(new URL('./pretend-agent.js', import.meta.url)), join(programs, 'claude'));
  chmodSync(join(programs, 'claude'), 0o755);
  const path = [programs, product.env.PATH ?? ''].join(delimiter);
  const exec: Bench['exec'] = (args, env = {}) =>
    product.run(['exec', ...args], { env: { PATH: path, ...env } });
  if (isSetUp)
    expect(await product.run(['setup', 'claude', '--yes'], { env: { PATH: path } })).toMatchObject({
      code: 0,
    });
  return { ...product, path, exec };
}

function linesOf({ stdout }: Ran) {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => v.parse(Line, JSON.parse(line)));
}

/** The same of a run that may not have ended: a line that is not complete is not there yet. */
function linesIn(text: string) {
  return linesOf({ code: null, stderr: '', stdout: text.slice(0, text.lastIndexOf('\n') + 1) });
}

/** Starts a run that the test goes on with. */
function start(on: Bench, args: readonly string[]): { child: ChildProcess; said(): string } {
  const env = { ...on.env, PATH: on.path };
  const child = spawn(process.execPath, [BIN, 'exec', ...args], {
    cwd: on.folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { child, said: () => text };
}

function resultOf(ran: Ran) {
  const last = linesOf(ran).at(-1);
  if (last?.type !== 'result') throw new Error(`no result: ${ran.stdout} ${ran.stderr}`);
  expect(last.exitCode).toBe(ran.code);
  return last;
}

const WHOLE_TURN = ['session_start', 'before_agent', 'before_tool', 'after_tool', 'stop', 'session_end'];

const eventsOf = (ran: Ran) => linesOf(ran).flatMap((line) => (line.type === 'event' ? [line.event] : []));

test("a completed run: its events, the last message, and the agent's arguments", async () => {
  const on = await bench();
  on.rules('rules: [{id: make, command: make it, allow: fine}]');
  const file = join(on.folder, 'last.txt');
  const given = ['--output-last-message', file, '--', '--model', 'opus', '--permission-mode', 'plan'];
  const secrets = { HOOKLINE_SCRIPT_KEY: 'key', HOOKLINE_ATTENDED: '1' };
  const ran = await on.exec(['claude', 'Make it.', '--json', ...given], secrets);
  const result = resultOf(ran);
  expect(result).toMatchObject({ outcome: 'done', exitCode: 0, lastMessage: 'It is made.', denied: [] });
  expect(result).toMatchObject({ agent: 'claude', sessionId: 'pretended', agentExitCode: 0, message: null });
  expect(eventsOf(ran).map(({ type }) => type)).toEqual(WHOLE_TURN);
  expect(eventsOf(ran)).toEqual((await on.events()).slice(-WHOLE_TURN.length));
  expect(readFileSync(file, 'utf8')).toBe('It is made.\n');
  const { args, env } = JSON.parse(readFileSync(join(on.folder, 'seen.json'), 'utf8'));
  expect(args).toEqual([
    '-p',
    'Make it.',
    '--output-format',
    'json',
    '--model',
    'opus',
    '--permission-mode',
    'plan',
  ]);
  expect(env).toContain(RUN_VARIABLE);
  for (const name of Object.keys(secrets)) expect(env).not.toContain(name);

  const forPeople = await on.exec(['claude', 'Make it.']);
  expect(forPeople).toMatchObject({ code: 0, stdout: 'It is made.\n' });
  expect(forPeople.stderr).toContain('Bash make it');
});

test('each end of a run has its own exit code, and denials on the way have none', async () => {
  const on = await bench();
  const outcome = async (prompt: string, rules: string) => {
    on.rules(rules);
    return resultOf(await on.exec(['claude', prompt, '--json']));
  };
  expect(await outcome('Make it.', 'rules: [{id: no, command: make, deny: not that}]')).toMatchObject({
    outcome: 'done',
    denied: [{ tool: 'Bash', input: { command: 'make it' }, reason: 'not that.', rules: ['no'] }],
  });
  expect(await outcome('Make it.', 'rules: [{on: turn_start, deny: not today}]')).toMatchObject({
    outcome: 'denied',
    exitCode: 3,
    message: 'The prompt was denied: not today.',
  });
  expect(await outcome('Make it.', 'rules: [{command: make, deny: no, halt: enough}]')).toMatchObject({
    outcome: 'denied',
    message: expect.stringContaining('enough'),
  });
  expect(await outcome('Make it.', 'rules: [{on: turn_end, deny: test it}]')).toMatchObject({
    outcome: 'gated',
    exitCode: 4,
    message: expect.stringContaining('test it'),
  });
  expect(await outcome('Please fail.', 'rules: []')).toMatchObject({
    outcome: 'failed',
    exitCode: 6,
    agentExitCode: 4,
    message: expect.stringContaining('no model answers'),
  });
  expect(await outcome('Work without hooks.', 'rules: []')).toMatchObject({
    outcome: 'unguarded',
    exitCode: 7,
    sessionId: null,
    message: expect.stringContaining('ran without its hooks'),
  });
});

test('without a person, the run decides and never allows', async () => {
  const on = await bench();
  on.rules('rules: [{id: look, command: make, ask: look at this}]');
  const decisions = async (...options: string[]) => {
    const events = eventsOf(await on.exec(['claude', 'Make it and ask a question.', '--json', ...options]));
    return events.flatMap(({ type, tool, response }) =>
      type === 'before_tool' ? [[tool?.name, response.decision, response.reason]] : [],
    );
  };
  const unanswered = ['AskUserQuestion', 'deny', expect.stringContaining('No one can answer')];
  expect(await decisions()).toEqual([['Bash', 'ask', expect.anything()], unanswered]);
  expect(await decisions('--on-permission', 'deny')).toEqual([
    ['Bash', 'deny', expect.stringMatching(/look at this\. No one can approve this/)],
    unanswered,
  ]);
  on.rules('rules: []');
  const requested = eventsOf(await on.exec(['claude', 'Make it.', '--json', '--on-permission', 'deny']));
  expect(requested.find(({ type }) => type === 'permission_request')?.response.decision).toBe('deny');
});

test('with --on-permission ask a call waits in the queue, even without an open surface', async () => {
  const on = await bench();
  on.rules('rules: [{id: look, command: make, ask: look at this}]');
  const { child, said } = start(on, ['claude', 'Make it.', '--json', '--on-permission', 'ask']);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const waiting = () => linesIn(said()).find((line) => line.type === 'waiting');
  await until('a call waits', () => waiting() !== undefined);
  const line = waiting();
  expect(line).toMatchObject({ tool: 'Bash', reason: 'look at this.', rules: ['look'] });
  expect(await on.run(['approve', line?.type === 'waiting' ? line.id : ''])).toMatchObject({ code: 0 });
  expect(await ended).toBe(0);
  const call = linesIn(said()).find((one) => one.type === 'event' && one.event.type === 'before_tool');
  expect(call).toMatchObject({ event: { response: { decision: 'allow' } } });
});

test('leaves nothing behind after a timeout or an interrupt', async () => {
  const on = await bench();
  const pids = (): readonly number[] => JSON.parse(readFileSync(join(on.folder, 'hanging.json'), 'utf8'));
  const late = await on.exec(['claude', 'Now hang.', '--json', '--timeout', '5s']);
  expect(resultOf(late)).toMatchObject({ outcome: 'timeout', exitCode: 5 });
  expect(pids().filter(isRunning)).toEqual([]);

  for (const [signal, outcome, code] of [
    ['SIGINT', 'interrupted', 130],
    ['SIGTERM', 'terminated', 143],
  ] as const) {
    rmSync(join(on.folder, 'hanging.json'));
    const { child, said } = start(on, ['claude', 'Now hang.', '--json']);
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    await until('the agent hangs', () => existsSync(join(on.folder, 'hanging.json')));
    child.kill(signal);
    expect(await ended).toBe(code);
    expect(linesIn(said()).at(-1)).toMatchObject({ outcome, exitCode: code });
    expect(pids().filter(isRunning)).toEqual([]);
  }
  expect(await on.daemonPid()).not.toBeNull();
});

test('does not start an agent that would not call Hookline', async () => {
  const on = await bench(false);
  const unguarded = await on.exec(['claude', 'Make it.']);
  expect(unguarded).toMatchObject({ code: 7, stderr: expect.stringContaining('setup claude') });
  const told = await on.exec(['claude', 'Make it.', '--json']);
  expect(resultOf(told)).toMatchObject({
    outcome: 'unguarded',
    exitCode: 7,
    runId: null,
    message: expect.stringContaining('is not set up'),
  });
  await on.run(['setup', 'claude', '--yes'], { env: { PATH: on.path } });
  const refused: readonly (readonly [readonly string[], string])[] = [
    [['claude', 'Make it.', '--', '--bare'], 'could bypass Hookline in Claude Code: claude --bare'],
    [
      ['claude', 'Make it.', '--', '--settings', 'x.json'],
      'could bypass Hookline in Claude Code: claude --settings',
    ],
    [['claude', 'Make it.', '--', '--settings={"disableAllHooks":true}'], 'could bypass Hookline'],
    [['claude', ' --bare'], 'starts with a dash'],
    [['claude', ''], 'The prompt is empty'],
    [['claude'], 'Missing prompt'],
    [['Claude Code', 'Make it.'], 'Did you mean claude?'],
    [['codex', 'Make it.'], 'Codex is not on PATH'],
    [['cursor', 'Make it.'], "can't run headless"],
    [['claude', 'Make it.', '--timeout', '10'], '--timeout takes a time'],
    [['claude', 'Make it.', '--on-permission', 'allow'], '--on-permission takes rules, deny, ask'],
    [['claude', 'Make it.', '--output-last-message', on.paths.config], 'controls what agents may do'],
    [['claude', 'Make it.', '--output-last-message', '.claude/settings.json'], 'controls what agents may do'],
  ];
  for (const [args, problem] of refused)
    expect(await on.run(['exec', ...args], { env: { PATH: on.path } }), args.join(' ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(problem),
    });
  expect(existsSync(join(on.folder, 'seen.json')), 'the agent was started').toBe(false);
});

test('the prompt may come from stdin, and a run inside another is part of it', async () => {
  const on = await bench();
  await on.up();
  const { id } = v.parse(
    v.object({ id: v.string() }),
    await (await connect(on.paths))?.post('/api/runs', {
      onPermission: 'deny',
      onQuestion: 'deny',
      within: null,
    }),
  );
  const env = { PATH: on.path, [RUN_VARIABLE]: id };
  const ran = await on.run(['exec', 'claude', '-', '--json'], { input: 'Make it.\n', env });
  expect(resultOf(ran).runId).toMatch(new RegExp(`^${id}/`));
  // The outer run denies what would be asked, and the inner one cannot be more lenient.
  const request = eventsOf(ran).find(({ type }) => type === 'permission_request');
  expect(request?.response.decision).toBe('deny');
});
