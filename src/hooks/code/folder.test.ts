import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, stopClock } from '../../../test/support/clock.ts';
import { HOARD, type Scratch, scratchFiles, toolEvent } from '../../../test/support/hooks.ts';
import { watchThreads } from '../../../test/support/threads.ts';
import { until } from '../../../test/support/until.ts';
import { type Hook, NotAskedError } from '../hook.ts';
import { type CodeFolder, openCodeFolder } from './folder.ts';
import { LOAD_MS } from './hook-worker.ts';
import { createStates } from './states.ts';

// These run the built worker: `npm test` builds first.

let scratch: Scratch;
let folder: CodeFolder;
let clock: Clock;
const forgotten: string[] = [];

beforeEach(() => {
  clock = stopClock();
  scratch = scratchFiles();
  forgotten.length = 0;
  folder = openCodeFolder(`${scratch.path}/hooks`, {
    states: createStates(),
    within: null,
    changed: (names) => forgotten.push(...names),
  });
});

afterEach(() => {
  folder.close();
});

const logged: string[] = [];
const held: number[] = [];
const ask = (hook: Hook | undefined, budgetMs = 5_000, command = 'rm x', leftMs = 60_000) =>
  hook?.run(toolEvent('claude', 'Bash', { command }), {
    budgetMs,
    leftMs,
    hold: (ms) => held.push(ms),
    log: (text) => logged.push(text),
  });

async function only(): Promise<Hook | undefined> {
  const hooks = await folder.hooks();
  expect(hooks).toHaveLength(1);
  return hooks[0];
}

/** Lets a hook report that it started, because its time runs from before that. */
const SAY_STARTED =
  "process.getBuiltinModule('node:fs').appendFileSync(new URL('../started', import.meta.url), 'x');";

async function started(times = 1): Promise<void> {
  const file = `${scratch.path}/started`;
  await until(() => existsSync(file) && readFileSync(file, 'utf8').length === times);
}

const hookFile = (body: string, on = 'before_tool') =>
  `import { allow, context, defineHook, deny } from 'hookline';\n` +
  `export default defineHook({ on: '${on}', tool: 'Bash', ${body} });\n`;

describe('hooks in code', () => {
  test('TypeScript with types, helpers and relative imports', async () => {
    scratch.write(
      'hooks/_words.ts',
      'export interface Words { readonly no: string }\nexport const words: Words = { no: "not here" } satisfies Words;\n',
    );
    scratch.write(
      'hooks/guard.ts',
      `import { defineHook, deny, type HookResponse } from 'hookline';
import { words } from './_words.ts';
const answer = <T extends string>(reason: T): HookResponse => deny(reason as string);
export default defineHook({
  on: 'tool', tool: 'Bash',
  async run(event, { session, log }): Promise<HookResponse | undefined> {
    log('asked about', event.tool.command, { by: session.agent });
    if (event.tool.command!.startsWith('rm')) return answer(words.no);
    return undefined;
  },
});
`,
    );
    const hook = await only();
    expect(hook?.name).toBe('guard');
    expect(hook?.concerns(toolEvent('codex', 'Bash', { command: 'ls' }))).toBe(true);
    expect(hook?.concerns(toolEvent('codex', 'Write', { file_path: 'a', content: '' }))).toBe(false);
    logged.length = 0;
    expect(await ask(hook)).toEqual({ decision: 'deny', reason: 'not here' });
    expect(logged).toEqual(["asked about rm x { by: 'claude' }"]);
    expect(await ask(hook, 5_000, 'ls')).toEqual({ decision: 'none' });
  });

  test('a change applies from the next event on, also in an imported file', async () => {
    scratch.write('hooks/_word.js', 'export const word = "first";');
    scratch.write(
      'hooks/a.mjs',
      `import { word } from './_word.js';\n${hookFile('run: () => context(word)')}`,
    );
    expect(await ask(await only())).toMatchObject({ context: 'first' });
    scratch.write('hooks/_word.js', 'export const word = "the second one";');
    expect(await ask(await only())).toMatchObject({ context: 'the second one' });
    expect(forgotten).toEqual(['a']);
  });

  test('state is kept per session and survives the worker', async () => {
    scratch.write(
      'hooks/count.ts',
      hookFile(
        'run: (event, { session }) => { session.state.n = (session.state.n as number ?? 0) + 1; if (event.tool.command === "crash") process.exit(3); return context(String(session.state.n)); }',
      ),
    );
    const hook = await only();
    expect(await ask(hook)).toMatchObject({ context: '1' });
    await expect(ask(hook, 5_000, 'crash')).rejects.toThrow('it exited');
    expect(await ask(hook)).toMatchObject({ context: '2' });
  });

  test.each([
    ['no default export', 'export const x = 1;', 'not made by defineHook'],
    ['an unknown event', hookFile('run: () => null', 'before_lunch'), 'unknown event "before_lunch"'],
    ['broken TypeScript', 'export default {{{', 'Unexpected token'],
    ['a missing import', "import './not-there.ts';", 'not-there.ts'],
    ['a file that never ends', `${SAY_STARTED}for (;;);`, 'was not loaded within'],
  ])('%s is a problem that names the file and affects only that file', async (_, text, message) => {
    scratch.write('hooks/good.ts', hookFile('run: () => deny("no")'));
    await only();
    scratch.write('hooks/bad.ts', text);
    const loading = folder.hooks();
    if (text.startsWith(SAY_STARTED)) {
      await started();
      await clock.advance(LOAD_MS);
    }
    const hooks = await loading;
    expect(folder.problems()).toEqual([
      { where: `${scratch.path}/hooks/bad.ts`, message: expect.stringContaining(message) },
    ]);
    expect(await ask(hooks.find(({ name }) => name === 'good'))).toMatchObject({ decision: 'deny' });
    await expect(ask(hooks.find(({ name }) => name === 'bad'))).rejects.toThrow('cannot be loaded');
  });

  test('retries a file that took too long, and fails for what it guards until then', async () => {
    const ready = `${scratch.path}/ready`;
    const wait = `import { existsSync } from 'node:fs';\nwhile (!existsSync(${JSON.stringify(ready)}));\n`;
    scratch.write('hooks/slow.ts', SAY_STARTED + wait + hookFile('run: () => deny("no")'));
    const loading = only();
    await started();
    await clock.advance(LOAD_MS);
    await expect(ask(await loading)).rejects.toThrow('was not loaded within');
    scratch.write('ready', '');
    await clock.advance(9_999);
    expect((await only())?.problem).toContain('was not loaded within');
    await clock.advance(1);
    // The event that triggers the retry doesn't wait for it.
    await expect(ask(await only())).rejects.toThrow('was not loaded within');
    await until(async () => (await only())?.problem === null);
    expect(await ask(await only())).toMatchObject({ decision: 'deny' });
    expect(folder.problems()).toEqual([]);
    expect(forgotten).toEqual(['slow']);
  });

  test('a working file that breaks fails for what it guarded', async () => {
    scratch.write('hooks/g.ts', hookFile('run: () => deny("no")'));
    await only();
    scratch.write('hooks/g.ts', `${hookFile('run: () => deny("no")')} }`);
    const hook = await only();
    expect(hook?.problem).toContain('Unexpected token');
    expect(hook?.concerns(toolEvent('claude', 'Read', { file_path: 'a' }))).toBe(false);
    await expect(ask(hook)).rejects.toThrow('cannot be loaded');
  });

  test.each([
    ['an endless loop', `run() { ${SAY_STARTED} for (;;); }`, 'no answer within 400 ms'],
    [
      'a promise that never comes',
      `run() { ${SAY_STARTED} return new Promise(() => {}); }`,
      'no answer within 400 ms',
    ],
    ['a throw', 'run() { throw new Error("on purpose"); }', 'on purpose'],
    ['a misspelt answer', 'run: () => ({ decison: "deny" })', 'decison'],
    [
      'an answer that cannot be copied',
      'run: () => ({ decision: "none", metadata: { f() {} } })',
      'could not be cloned',
    ],
  ])('%s ends that run, and the next one works', async (_, body, message) => {
    scratch.write('hooks/x.ts', hookFile(body));
    scratch.write('hooks/y.ts', hookFile('run: () => deny("no")'));
    const [x, y] = await folder.hooks();
    const asked = expect(ask(x, 400)).rejects.toThrow(message);
    if (body.includes(SAY_STARTED)) {
      await started();
      await clock.advance(400);
    }
    await asked;
    expect(await ask(y)).toMatchObject({ decision: 'deny' });
  });

  test.each([
    ['objects', 'const all = []; for (;;) all.push({ a: new Array(100).fill(1.5) });'],
    ['buffers', HOARD],
  ])('ends a hook that allocates %s without limit, and its thread with the memory', async (_, body) => {
    scratch.write('hooks/greedy.ts', hookFile(`run() { ${body} }`));
    const threads = watchThreads();
    const hook = await only();
    await expect(ask(hook)).rejects.toThrow('too much memory');
    await until(() => threads.ended === 1);
    expect(threads.started).toBe(1);
  });

  test('discards endless output', async () => {
    scratch.write(
      'hooks/loud.ts',
      hookFile(
        'run() { for (let i = 0; i < 100; i++) { console.log("x".repeat(1 << 20)); process.stdout.write("y".repeat(1 << 20)); } return deny("no"); }',
      ),
    );
    const hook = await only();
    logged.length = 0;
    expect(await ask(hook)).toMatchObject({ decision: 'deny' });
    expect(logged.length).toBeLessThanOrEqual(100);
    expect(Math.max(...logged.map((line) => line.length))).toBeLessThanOrEqual(2_000);
  });

  test("simultaneous events don't wait for each other", async () => {
    scratch.write(
      'hooks/slow.ts',
      hookFile(
        'async run(event) { if (event.tool.command === "wait") await new Promise(() => {}); return deny("no"); }',
      ),
    );
    const hook = await only();
    const stuck = expect(ask(hook, 3_000, 'wait')).rejects.toThrow('no answer within');
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(hook)));
    expect(answers).toEqual(Array(20).fill({ decision: 'deny', reason: 'no' }));
    await clock.advance(3_000);
    await stuck;
  });

  test("a call that gets no turn in time doesn't count as a failure of the hook", async () => {
    scratch.write('hooks/slow.ts', hookFile(`async run() { ${SAY_STARTED} await new Promise(() => {}); }`));
    const hook = await only();
    const stuck = Promise.allSettled(Array.from({ length: 4 }, () => ask(hook, 3_000)));
    await started(4);
    held.length = 0;
    const late = expect(ask(hook, 200, 'rm x', 400)).rejects.toBeInstanceOf(NotAskedError);
    await clock.advance(200);
    await late;
    // For its turn, for a worker that loads the file, and for its answer.
    expect(held).toContain(200 + LOAD_MS + 200);
    await clock.advance(2_800);
    for (const one of await stuck) {
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'no answer within 3000 ms' } });
    }
  });

  test('project code may not import anything outside the trusted files', async () => {
    scratch.write('lib.js', 'export default 1;');
    scratch.write('.hookline/hooks/_near.js', 'export default 2;');
    scratch.write('.hookline/hooks/out.ts', `import '../../lib.js';\n${hookFile('run: () => deny("no")')}`);
    scratch.write(
      '.hookline/hooks/near.ts',
      `import './_near.js';\nimport 'node:fs';\n${hookFile('run: () => deny("no")')}`,
    );
    const project = openCodeFolder(`${scratch.path}/.hookline/hooks`, {
      states: createStates(),
      within: `${scratch.path}/.hookline`,
      changed: () => {},
    });
    try {
      const hooks = await project.hooks();
      expect(project.problems()).toEqual([
        { where: `${scratch.path}/.hookline/hooks/out.ts`, message: expect.stringContaining('is outside') },
      ]);
      expect(await ask(hooks.find(({ name }) => name === 'near'))).toMatchObject({ decision: 'deny' });
    } finally {
      project.close();
    }
  });
});
