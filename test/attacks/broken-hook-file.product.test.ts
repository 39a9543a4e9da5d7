import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { handle } from '../../src/engine/handle.ts';
import { openGuardHooks } from '../../src/hooks/guards.ts';
import { createHooksHandler } from '../../src/hooks/handler.ts';
import { openHooks } from '../../src/hooks/registry.ts';
import { BEST_FORWARDER, bashPayload, scratchProduct } from '../faults/product.ts';
import { callWith, createTestEngine } from '../support/engine.ts';
import { placesIn, type Scratch, scratchFiles } from '../support/hooks.ts';

// A hook file that does not compile used to be no hook at all: its guard was gone, and nothing said so.

const GUARD = `import { defineHook, deny } from 'hookline';
import { words } from './_words.ts';
export default defineHook({ name: 'warden', on: 'before_tool', run: () => deny(words) });
`;
const WORDS = `export const words: string = 'not this';\n`;
const NAMED =
  'hooks:\n  - { name: named, type: command, on: before_tool, command: "exit 2", dialect: claude }\n';

/** The decision of a newly started process. */
async function decide(scratch: Scratch, failure: 'open' | 'closed' = 'open', lastGood?: string) {
  const places = { ...placesIn(scratch.path), ...(lastGood === undefined ? {} : { lastGood }) };
  const registry = openHooks(places, AGENTS);
  onTestFinished(() => registry.close());
  const handler = createHooksHandler({
    hooksFor: ({ projectId }) => registry.hooksFor(projectId),
    health: registry.health,
    failure,
    agents: AGENTS,
    log: () => {},
    now: () => performance.now(),
  });
  const request = { id: 's', tool: 'Bash', input: { command: 'rm x' }, cwd: '/home/dev' };
  const call = callWith('claude', AGENTS.get('claude')?.toolPayload(request));
  const { record } = await handle(call, createTestEngine([handler]));
  const { decision, reason = '' } = record.response;
  return { decision, reason, problems: registry.problems().map(({ message }) => message) };
}

function guarded(): Scratch {
  const scratch = scratchFiles();
  scratch.write('hooks/guard.ts', GUARD);
  scratch.write('hooks/_words.ts', WORDS);
  return scratch;
}

const SLIPS: readonly (readonly [what: string, slip: (scratch: Scratch) => void])[] = [
  ['does not compile', (scratch) => scratch.write('hooks/guard.ts', `${GUARD} }`)],
  ['throws while it is loaded', (scratch) => scratch.write('hooks/guard.ts', 'throw new Error("no");')],
  ['exports nothing', (scratch) => scratch.write('hooks/guard.ts', 'export const x = 1;')],
  ['imports something that is broken', (scratch) => scratch.write('hooks/_words.ts', 'export const {')],
  ['imports something that is gone', ({ path }) => rmSync(join(path, 'hooks', '_words.ts'))],
];

describe('a hook file that', () => {
  test.each(SLIPS)('%s keeps its last good version after a restart', async (_, slip) => {
    const scratch = guarded();
    expect(await decide(scratch)).toMatchObject({ decision: 'deny', reason: 'not this', problems: [] });
    slip(scratch);
    expect(await decide(scratch)).toEqual({
      decision: 'deny',
      reason: 'not this',
      problems: [expect.stringContaining('last good version applies')],
    });
  });

  test.each(SLIPS)('%s would lose it if nothing were stored on disk', async (_, slip) => {
    const scratch = guarded();
    expect((await decide(scratch, 'open', '/dev/null/nowhere')).decision).toBe('deny');
    slip(scratch);
    expect((await decide(scratch, 'open', '/dev/null/nowhere')).decision).toBe('none');
  });

  test('counts again once fixed, and is gone once deleted', async () => {
    const scratch = guarded();
    await decide(scratch);
    scratch.write('hooks/guard.ts', 'export default {{{');
    await decide(scratch);
    scratch.write('hooks/guard.ts', GUARD.replace('deny(words)', 'deny("fixed")'));
    expect(await decide(scratch)).toEqual({ decision: 'deny', reason: 'fixed', problems: [] });
    rmSync(join(scratch.path, 'hooks', 'guard.ts'));
    expect(await decide(scratch)).toEqual({ decision: 'none', reason: '', problems: [] });
    scratch.write('hooks/guard.ts', 'export default {{{');
    expect(await decide(scratch)).toMatchObject({ decision: 'none', problems: [expect.any(String)] });
  });

  test.each([
    ['open', 'ask'],
    ['closed', 'deny'],
  ] as const)(
    'without a last good version but with earlier denials: failing %s, calls are %s',
    async (mode, expected) => {
      const scratch = scratchFiles();
      scratch.write('hooks/guard.ts', 'export default {{{');
      openGuardHooks(placesIn(scratch.path).guardHooks).add('guard');
      const { decision, problems } = await decide(scratch, mode);
      expect(decision).toBe(expected);
      expect(problems).toHaveLength(1);
    },
  );
});

describe('hooks.yaml', () => {
  test('keeps its guarded names after a restart when broken', async () => {
    const scratch = scratchFiles();
    scratch.write('hooks.yaml', NAMED);
    expect((await decide(scratch)).decision).toBe('deny');
    for (const slip of ['hooks: [', NAMED.replace('command:', 'comand:'), NAMED.replace('claude', 'clod')]) {
      scratch.write('hooks.yaml', slip);
      expect(await decide(scratch)).toMatchObject({
        decision: 'deny',
        problems: [expect.stringContaining('last good version applies')],
      });
      expect((await decide(scratch, 'open', '/dev/null/nowhere')).decision).toBe('none');
    }
    rmSync(join(scratch.path, 'hooks.yaml'));
    expect(await decide(scratch)).toEqual({ decision: 'none', reason: '', problems: [] });
  });

  test('keeps its guarded names after a restart when emptied', async () => {
    const scratch = scratchFiles();
    scratch.write('hooks.yaml', NAMED);
    expect((await decide(scratch)).decision).toBe('deny');
    scratch.write('hooks.yaml', '\n');
    const after = await decide(scratch);
    expect(after.decision).toBe('deny');
    expect(after.problems.join()).toContain('it is empty; its last good version applies');
  });
});

test('an unlistable hooks directory keeps its hooks', async () => {
  const scratch = guarded();
  await decide(scratch);
  rmSync(join(scratch.path, 'hooks'), { recursive: true });
  writeFileSync(join(scratch.path, 'hooks'), 'a file now');
  expect(await decide(scratch)).toMatchObject({ decision: 'deny', problems: [expect.any(String)] });
});

test('denies calls without a daemon and with a new one, and every surface reports it', async () => {
  const product = scratchProduct();
  const { paths } = product;
  mkdirSync(paths.hooks, { mode: 0o700 });
  const write = (text: string) => writeFileSync(join(paths.hooks, 'guard.ts'), text);
  write(GUARD.replace(/^import.*words.*$/m, "const words = 'not this';"));
  chmodSync(join(paths.hooks, 'guard.ts'), 0o600);
  const denied = async (env: Record<string, string>) =>
    (await product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('rm x'), env)).stdout.includes('not this');
  expect(await denied({ HOOKLINE_NO_AUTOSTART: '1' })).toBe(true);
  write('export default {{{');
  expect(await denied({ HOOKLINE_NO_AUTOSTART: '1' })).toBe(true);
  const said = expect.stringContaining('last good version applies');
  for (const command of [['status'], ['doctor'], ['hooks', 'list']]) {
    const { stdout } = await product.read(command);
    expect({ command, stdout }).toEqual({ command, stdout: said });
  }
  expect((await product.run(['up'])).code).toBe(0);
  expect(await denied({})).toBe(true);
  expect((await product.read(['status'])).stdout).toEqual(said);
});
