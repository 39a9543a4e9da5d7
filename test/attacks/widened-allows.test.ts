import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { runOptions } from '../../src/agents/run-options.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { type session, shellCall } from '../support/rules/rules.ts';

// A rule allows a command. An agent then runs something else under its name: with a variable or function that changes
// its meaning, with an option that runs a program, in a loop, or outside the sandbox.

type Session = typeof session;

const load = async (): Promise<Session> => (await import('../support/rules/rules.ts')).session;

function callWith(command: string, input: Readonly<Record<string, unknown>> = {}): HookEvent {
  const call = shellCall(command);
  return { ...call, source: 'claude', tool: { ...call.tool, input: { command, ...input } } };
}

function isAllowed(decide: Session, rule: string, event: HookEvent): boolean {
  const opinions = decide(`rules: [{allow: true, ${rule}}]`, {
    runOptions: (source, tool) => runOptions(AGENTS.get(source), tool),
  })(event);
  return opinions.some(({ response }) => response.decision === 'allow');
}

const allows = async (pattern: string, command: string, input?: Readonly<Record<string, unknown>>) =>
  isAllowed(await load(), `command: ${JSON.stringify(pattern)}`, callWith(command, input));

const NOT_COVERED: readonly (readonly [pattern: string, command: string])[] = [
  ['npm test', 'PATH=/tmp/evil; npm test'],
  ['npm test', 'BASH_ENV=/tmp/x; npm test'],
  ['npm test', 'PATH+=:/tmp/evil; npm test'],
  ['npm test', 'npm_config_script_shell=/tmp/evil; npm test'],
  ['npm test', 'export PATH=/tmp/evil; npm test'],
  ['npm test', 'npm() { id; }; npm test'],
  ['npm test', 'coproc npm test'],
  ['npm test', 'npm test &'],
  ['npm test', 'while npm test; do npm test; done'],
  ['npm test', 'for ((;;)); do npm test; done'],
  ['npm test', 'for i in 1 2; do npm test; done'],
  ['npm test', 'if npm test; then npm test; fi'],
  ['npm test', '(npm test)'],
  ['npm test', '{ npm test; }'],
  ['npm test', '{ npm test; } > ~/.bashrc'],
  ['npm test', 'npm test --prefix /tmp/evil'],
  ['npm test', 'npm test --prefix=/tmp/evil'],
  ['npm test', 'npm --prefix /tmp/evil test'],
  ['npm test', 'npm test --script-shell=/tmp/evil'],
  ['npm test', 'npm test --script-shell /tmp/evil'],
  ['npm test', 'npm test -C /tmp/evil'],
  ['npm test', 'npm test -w evil'],
  ['npm test', 'npm test --node-options=--require=/tmp/x.js'],
  ['npm test', 'npm test --userconfig /tmp/npmrc'],
  ['npm test', 'npm test -- --require=./evil.js'],
  ['git status', 'git --exec-path=/tmp/evil status'],
  ['git status', 'git -c core.fsmonitor=/tmp/evil status'],
  ['git status', 'git -c core.pager=/tmp/evil status'],
  ['git status', 'git --config-env=core.fsmonitor=X status'],
  ['git status', 'git -C /tmp/evil status'],
  ['git status', 'git --git-dir=/tmp/evil status'],
  ['git log', 'git log --output=/tmp/x'],
  ['git diff', 'git diff --ext-diff'],
  ['git diff', 'git diff --output=x'],
  ['git diff', 'git diff --no-index /etc/passwd x --textconv'],
  ['git fetch', 'git fetch --upload-pack=/tmp/evil'],
  ['git rebase main', 'git rebase main --exec id'],
  ['rg', 'rg --pre=/tmp/evil x'],
  ['rg', 'rg --pre /tmp/evil x'],
  ['sort', 'sort --compress-program=/tmp/evil x'],
  ['sort', 'sort -o ~/.bashrc x'],
  ['find', 'find . -exec id ;'],
  ['find', 'find . -delete'],
  ['find', 'find . -fprintf ~/.bashrc x'],
  ['tree', 'tree -o ~/.bashrc'],
  ['awk', 'awk \'{print > "x"}\' a'],
  ['awk', "awk '{print > $2}' a"],
  ['awk', "awk '{print | $2}' a"],
  ['awk', 'awk \'BEGIN{f="x"; printf "a" >> f}\' a'],
  ['awk -F :', "awk -F : '{print > $2}' a"],
  ['awk', 'awk \'BEGIN{system("id")}\''],
  ['sed', "sed 'w x' a"],
  ['sed -n', "sed -n 'w x' a"],
  ['sed -n', "sed -n 'wx' a"],
  ['sed', "sed 's/a/b/w x' a"],
  ['sed', "sed '/a/,/b/{s/a/b/gw x\n}' a"],
  ['sed', "sed '1e id' a"],
  ['sed', "sed 's/a/id/e' a"],
  ['uniq', 'uniq a x'],
  ['sort', 'sort -ox a'],
  ['find', 'find . -fprint x'],
  ['find', 'find . -okdir id ;'],
  ['make test', 'make test SHELL=/tmp/evil'],
  ['make test', 'make -f /tmp/evil test'],
  ['make test', 'make --eval=x:=$(shell) test'],
  ['make test', 'make -C /tmp/evil test'],
  ['go test', 'go test -exec /tmp/evil'],
  ['go test', 'go test -toolexec=/tmp/evil'],
  ['cargo test', 'cargo test --config target.runner=/tmp/evil'],
  ['cargo test', 'cargo test --manifest-path /tmp/evil/Cargo.toml'],
  ['pytest', 'pytest -p evil'],
  ['pytest', 'pytest -c /tmp/evil.ini'],
  ['pytest', 'pytest --rootdir=/tmp/evil'],
  ['mystery', 'mystery --exec id'],
  ['mystery', 'mystery -x'],
  ['cat', 'cat *'],
];

const COVERED: readonly (readonly [pattern: string, command: string])[] = [
  ['npm test', 'npm test'],
  ['npm test', 'npm test --silent'],
  ['npm test', 'npm test src/a.test.ts'],
  ['npm test', 'npm test 2>&1'],
  ['npm test', '! npm test'],
  ['npm test --prefix packages/api', 'npm test --prefix packages/api'],
  ['git status', 'git status -sb'],
  ['git status', 'git --no-pager status --porcelain'],
  ['git log', 'git log --oneline -n 5 main'],
  ['git diff', 'git diff --stat HEAD~1 -- src'],
  ['ls', 'ls -la src'],
  ['grep', 'grep -rn TODO src'],
  ['rg', 'rg -n TODO src'],
  ['find', 'find src -name x.ts -type f'],
  ['cargo test', 'cargo test --release parse'],
  ['go test', 'go test -v -run Parse ./...'],
  ['make test', 'make -j4 test'],
  ['pytest', 'pytest -q -x tests/test_a.py'],
  ['mystery --exec', 'mystery --exec id'],
  ['cat', 'cat ./*.md'],
  ['awk', "awk '$3 > 5 || $2 {print $1}' a"],
  ['sed -n', "sed -n '/write/p' a"],
  ['sed', "sed 's/we/ew/g' a"],
  ['sed -i', "sed -i 's/a/b/' a"],
  ['sort -o', 'sort -o x a'],
  ['find -delete', 'find . -delete'],
  ['cp', 'cp a b'],
];

describe('an allow does not cover', () => {
  test.each(NOT_COVERED)('%s: %s', async (pattern, command) => {
    expect(await allows(pattern, command)).toBe(false);
  });

  test('the same call outside the sandbox, unless the rule names that', async () => {
    const unsandboxed = { dangerouslyDisableSandbox: true };
    expect(await allows('npm test', 'npm test', unsandboxed)).toBe(false);
    const decide = await load();
    expect(isAllowed(decide, 'tool: Bash', callWith('npm test', unsandboxed))).toBe(false);
    expect(isAllowed(decide, 'tool: Bash', callWith('npm test'))).toBe(true);
    const named = 'command: npm test, when: "tool.input.dangerouslyDisableSandbox == true"';
    expect(isAllowed(decide, named, callWith('npm test', unsandboxed))).toBe(true);
  });

  test('other hosts, or a command line that it does not name', async () => {
    const decide = await load();
    const curl = (command: string, more = '') =>
      isAllowed(decide, `host: docs.example${more}`, callWith(command));
    expect(curl('curl https://docs.example; rm -rf .')).toBe(false);
    expect(curl('curl https://docs.example', ', command: curl')).toBe(true);
    expect(curl('curl https://docs.example https://evil.example', ', command: curl')).toBe(false);
  });
});

test.each(COVERED)('an allow of %s covers %s', async (pattern, command) => {
  expect(await allows(pattern, command)).toBe(true);
});

test('no mutation of an allowed command is covered', async () => {
  const decide = await load();
  const mutations = fc.constantFrom(
    (command: string) => `X=1; ${command}`,
    (command: string) => `X=1 ${command}`,
    (command: string) => `${command}; id`,
    (command: string) => `${command} $(id)`,
    (command: string) => `${command} > out`,
    (command: string) => `${command} | tee x`,
    (command: string) => `${command} &`,
    (command: string) => `(${command})`,
    (command: string) => `while :; do ${command}; done`,
    (command: string) => `f() { id; }; ${command}`,
    (command: string) => `${command} --exec=id`,
    (command: string) => `${command} --config=/tmp/x`,
    (command: string) => `${command} -- --require=x`,
    (command: string) => `coproc ${command}`,
    (command: string) => `sudo ${command}`,
  );
  fc.assert(
    fc.property(
      fc.constantFrom('npm test', 'git status', 'cargo build', 'make check'),
      fc.array(mutations, { minLength: 1, maxLength: 3 }),
      (allowed, chosen) => {
        let mutated: string = allowed;
        for (const mutate of chosen) mutated = mutate(mutated);
        expect(isAllowed(decide, `command: ${allowed}`, callWith(mutated))).toBe(false);
      },
    ),
    { numRuns: 300 },
  );
});

describe('without a defense the attack succeeds', () => {
  afterEach(() => {
    vi.doUnmock('../../src/shell/shape.ts');
    vi.doUnmock('../../src/shell/traits/harmless.ts');
    vi.resetModules();
  });

  test('the shape of the line', async () => {
    vi.resetModules();
    vi.doMock('../../src/shell/shape.ts', () => ({ isPlainLine: () => true, isBareCommand: () => true }));
    for (const command of ['coproc npm test', 'npm test &', '(npm test)', 'for ((;;)); do npm test; done'])
      expect(await allows('npm test', command)).toBe(true);
  });

  test('unnamed options', async () => {
    vi.resetModules();
    vi.doMock('../../src/shell/traits/harmless.ts', () => ({ isHarmlessOption: () => true }));
    expect(await allows('npm test', 'npm test --script-shell=/tmp/evil')).toBe(true);
    expect(await allows('git status', 'git --exec-path=/tmp/evil status')).toBe(true);
  });
});
