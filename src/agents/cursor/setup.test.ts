import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchMachine } from '../../../test/support/agents/setup.ts';
import { imports } from './dialect.ts';
import { hooksPath, setup } from './setup.ts';

function machine(failClosed = false) {
  const scratch = new ScratchMachine();
  const context = scratch.context({ failClosed });
  scratch.install(setup, context);
  const path = hooksPath(context);
  return { scratch, context, path, written: () => JSON.parse(readFileSync(path, 'utf8')) };
}

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('entries are in their lists without groups, in a file with a version', () => {
  const { written, context } = machine();
  expect(written()).toMatchObject({
    version: 1,
    hooks: { preToolUse: [{ type: 'command', command: '/opt/hookline/hookline-forward cursor preToolUse' }] },
  });
  expect(Object.keys(written().hooks)).not.toContain('beforeShellExecution');
  // There is no forwarder on this machine.
  expect(codes(setup.inspect(context))).toEqual(['stale-path']);
});

test('failing closed is a client setting, on events that can be denied', () => {
  const { written } = machine(true);
  const closed = Object.entries<{ failClosed?: boolean }[]>(written().hooks).filter(
    ([, [one]]) => one?.failClosed,
  );
  expect(closed.map(([event]) => event).sort()).toEqual(['beforeSubmitPrompt', 'preToolUse']);
});

test.each<[string, (settings: { version?: number; hooks: Record<string, unknown[]> }) => void]>([
  ['no version', (settings) => delete settings.version],
  ['an event that is none', ({ hooks }) => (hooks.notYetInvented = [{ command: 'true' }])],
  ['an entry without a command', ({ hooks }) => hooks.stop?.push({ matcher: 'x' })],
  ['an address in a command', ({ hooks }) => hooks.stop?.push({ command: 'curl http://127.0.0.1' })],
])('%s drops the whole file, which doctor reports', (_, spoil) => {
  const { scratch, context, path, written } = machine();
  expect(codes(setup.inspect(context))).not.toContain('file-dropped');
  const settings = written();
  spoil(settings);
  scratch.write(path, JSON.stringify(settings));
  expect(setup.inspect(context)).toContainEqual(
    expect.objectContaining({ code: 'file-dropped', level: 'problem' }),
  );
});

test("reports hooks in another client's settings that it calls too", () => {
  const { scratch, context } = machine();
  const hooks = {
    PreToolUse: [{ matcher: '*', hooks: [{ command: 'hookline-forward claude PreToolUse' }] }],
  };
  scratch.write(join(scratch.home, '.claude', 'settings.json'), JSON.stringify({ hooks }));
  expect(codes(setup.inspect(context))).toContain('called-twice');
});

test("finds the user's hooks and moves them with their failure mode", () => {
  const scratch = new ScratchMachine();
  const context = scratch.context();
  const theirs = { command: './guard.sh', matcher: 'Shell', timeout: 5, failClosed: true };
  scratch.write(hooksPath(context), JSON.stringify({ version: 1, hooks: { preToolUse: [theirs] } }));
  const found = imports.find(context);
  expect(found.map(({ entry }) => entry)).toMatchObject([
    {
      dialect: 'cursor',
      event: 'preToolUse',
      matcher: 'Shell',
      command: './guard.sh',
      timeout: '5s',
      failure: 'closed',
    },
  ]);
  expect(imports.remove(context, found)).toMatchObject([{ after: '{"version":1}' }]);
});
