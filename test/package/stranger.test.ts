import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { inCheckout } from './checkout.ts';
import { NODE_VERSIONS } from './nodes.ts';
import { serveTarballs } from './registry.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Another project, with the released package in its node_modules. */
async function project(node: string): Promise<string> {
  const registry = await serveTarballs(inject('released'), () => true);
  onTestFinished(() => registry.close());
  const folder = mkdtempSync(join(inject('scratch'), 'stranger-'));
  cpSync(join(root, 'examples', 'tested-hook'), folder, { recursive: true });
  const tarball = join(inject('released'), `hookline-${VERSION}.tgz`);
  await inCheckout(
    folder,
    ['npm', 'install', '--ignore-scripts', '--no-audit', `--@hookline:registry=${registry.url}`, tarball],
    { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
  );
  return folder;
}

describe.each(NODE_VERSIONS)('on Node %s', (version) => {
  const node = inject('nodes')[version] ?? null;
  test.skipIf(node === null)('a project tests its hook with hookline/testing', async () => {
    const folder = await project(node ?? '');
    const tests = ['--test', '--test-reporter=tap', 'test/hook.test.js'];
    expect(await inCheckout(folder, [node ?? '', ...tests])).toMatch(/^# pass 3$/m);
  });
});

const CONNECTS = `
import { connect, HooklineError } from 'hookline/client';
console.log(await connect({ home: process.cwd() }), new HooklineError('NOT_FOUND', 'No.').code);
`;

test('a program finds no daemon if none runs', async () => {
  const folder = await project(process.execPath);
  writeFileSync(join(folder, 'connects.js'), CONNECTS);
  expect(await inCheckout(folder, [process.execPath, 'connects.js'])).toBe('null NOT_FOUND\n');
});

const TYPED = `
import { defineHook, deny } from 'hookline';
import { type Approval, askAsScript, connect, HooklineError } from 'hookline/client';
import plugin from 'hookline/server';
import { type ClientRun, fakeModel, runClient, testAgent, testHook } from 'hookline/testing';

const hook = defineHook({
  on: 'before_tool',
  tool: 'Bash',
  run: ({ tool }) => (tool.command === 'x' ? deny('No.') : null),
});
const call = { tool: 'Bash', input: { command: 'x' } };
export const decision: 'none' | 'allow' | 'deny' | 'ask' = (await testHook(hook, call)).decision;
export const many: readonly { readonly decision: string }[] = await testHook([hook], [{ type: 'turn_end' }]);
export const run: ClientRun = await runClient('claude', {
  prompt: 'List.',
  script: ({ shell }) => [[shell('ls')], 'Done.'],
});
export const results: readonly string[] | undefined = run.steps[0]?.results;
export const reason: string | undefined = run.events[0]?.response.reason;
export const state: string | undefined = (await testAgent('claude')).rows[0]?.state;
const daemon = await connect({ home: '/tmp/home', name: 'typed' });
export const first: Approval | undefined = (await daemon?.approvals())?.pending[0];
export const ok: boolean | undefined = (await daemon?.answer('3fa9', { decision: 'deny', scope: 'session' }))?.ok;
export const code: string = new HooklineError('NOT_FOUND', 'No.').code;
askAsScript(null);
export const load: (input: Parameters<typeof plugin>[0]) => Promise<{ dispose(): Promise<void> }> = plugin;
// @ts-expect-error an answer has a decision
await daemon?.answer('3fa9', { scope: 'session' });
// @ts-expect-error no model speaks that
await fakeModel('morse', []);
// @ts-expect-error there is no such event
await testHook(hook, { type: 'before_lunch', tool: 'Bash', input: {} });
`;

test('its imports are typed by the package alone', async () => {
  const folder = await project(process.execPath);
  writeFileSync(join(folder, 'typed.ts'), TYPED);
  // Without skipLibCheck: declarations that need what is not installed would show.
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true },
    ...{ types: [], lib: ['es2022', 'dom'] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await expect(inCheckout(folder, [process.execPath, compiler, '-p', '.'])).resolves.toBe('');
});
