import { expect, test } from 'vitest';
import { factsOf, plainWorld, shellCall, writeCall } from '../../../test/support/rules/rules.ts';
import { createHookScripts } from './references.ts';

const scriptsOf = (files: Readonly<Record<string, string>>) =>
  createHookScripts(['.agent/settings.json', '.agent/config.toml'], {
    ...plainWorld,
    scriptText: (path) => files[path] ?? null,
  });

const P = '/home/dev/project';
const hook = (command: string) =>
  JSON.stringify({ hooks: { X: [{ hooks: [{ type: 'command', command }] }] } });

test.each([
  ['scripts/guard.sh', `${P}/scripts/guard.sh`],
  ['"$AGENT_PROJECT_DIR"/hooks/guard.py --all', `${P}/hooks/guard.py`],
  ['bash -e ./x.sh', `${P}/x.sh`],
  ['X=1 python3 ~/tools/guard.py', '/home/dev/tools/guard.py'],
  ['cd a && node /opt/x/guard.mjs', '/opt/x/guard.mjs'],
])('a script that is a hook: %s', (command, path) => {
  expect(scriptsOf({ [`${P}/.agent/settings.json`]: hook(command) })(P)).toContain(path);
});

test.each(['npx prettier --write src/index.ts', 'jq .x', 'node -e "1"', 'x "$UNKNOWN/y.sh"'])(
  'a program with arguments is not a hook script: %s',
  (command) => {
    expect(scriptsOf({ [`${P}/.agent/settings.json`]: hook(command) })(P)).toEqual([]);
  },
);

test('settings in TOML and in the home also name scripts', () => {
  const files = {
    '/home/dev/.agent/config.toml': '[[hooks.x]]\ncommand = "python3 ~/guard.py"\nargs = ["-q"]\n',
  };
  expect(scriptsOf(files)(P)).toEqual(['/home/dev/guard.py']);
});

test('detects any change to such a script, and nothing else', () => {
  const world = { hookScripts: () => [`${P}/hooks/guard.sh`] };
  const isFound = (event: Parameters<typeof factsOf>[0]) =>
    factsOf(event, world)
      .effects()
      .some(({ tags }) => tags.includes('hook-script'));
  expect(isFound(writeCall(`${P}/hooks/guard.sh`))).toBe(true);
  for (const line of [
    'echo > hooks/guard.sh',
    'rm -rf hooks',
    'sed -i s/2/0/ hooks/*.sh',
    'mv x hooks/guard.sh',
  ])
    expect(isFound(shellCall(line)), line).toBe(true);
  for (const line of ['cat hooks/guard.sh', 'bash hooks/guard.sh', 'rm hooks/other.sh', 'ls 2>/dev/null'])
    expect(isFound(shellCall(line)), line).toBe(false);
});
