import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, stopClock } from '../../test/support/clock.ts';
import {
  askWith,
  eventOf,
  placesIn,
  type Scratch,
  scratchFiles,
  toolEvent,
} from '../../test/support/hooks.ts';
import { isRunning } from '../../test/support/processes.ts';
import { until } from '../../test/support/until.ts';
import { AGENTS } from '../agents/_registry.ts';
import type { HookEvent } from '../model/events.ts';
import type { Hook } from './hook.ts';
import { type HookRegistry, openHooks } from './registry.ts';

let scratch: Scratch;
let registry: HookRegistry;
let clock: Clock;

beforeEach(() => {
  clock = stopClock();
  scratch = scratchFiles();
  registry = openHooks(placesIn(scratch.path), AGENTS);
});
afterEach(() => {
  registry.close();
});

const inYaml = (lines: readonly string[]) =>
  scratch.write('hooks.yaml', `hooks:\n  - ${lines.join('\n    ')}\n`);

async function entry(lines: readonly string[]): Promise<Hook> {
  inYaml(lines);
  const [hook] = await registry.hooksFor(null);
  expect(registry.problems()).toEqual([]);
  if (!hook) throw new Error('no hook');
  return hook;
}

const command = (dialect: string, script: string, more: readonly string[] = []) =>
  entry(['type: command', `dialect: ${dialect}`, 'on: before_tool', `command: ${script}`, ...more]);

const ask = (hook: Hook, event: HookEvent, budgetMs = 5_000) => hook.run(event, askWith(budgetMs));
const bash = (agent: string, text: string) => toolEvent(agent, 'Bash', { command: text }, scratch.path);

describe("a script in one agent's dialect gets calls of all agents", () => {
  test.each(['claude', 'gemini', 'codex'])(
    'a Claude Code script sees a call of %s as its own',
    async (agent) => {
      const script = scratch.script(
        'guard.sh',
        'cat > seen.json\necho "$CLAUDE_PROJECT_DIR" > project.txt\necho "not here" >&2\nexit 2',
      );
      const hook = await command('claude', script);
      expect(await ask(hook, bash(agent, 'rm a'))).toEqual({ decision: 'deny', reason: 'not here' });
      const seen = JSON.parse(readFileSync(`${scratch.path}/seen.json`, 'utf8'));
      expect(seen).toMatchObject({
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'rm a' },
        session_id: 'session',
        cwd: scratch.path,
      });
      expect(readFileSync(`${scratch.path}/project.txt`, 'utf8')).toBe(`${scratch.path}\n`);
    },
  );

  test.each(['claude', 'gemini', 'codex'])(
    'a Gemini CLI script sees a call of %s as its own',
    async (agent) => {
      const script = scratch.script('guard.sh', `cat > seen.json\necho '{"decision":"deny","reason":"no"}'`);
      expect(await ask(await command('gemini', script), bash(agent, 'rm a'))).toEqual({
        decision: 'deny',
        reason: 'no',
      });
      const seen = JSON.parse(readFileSync(`${scratch.path}/seen.json`, 'utf8'));
      expect(seen).toMatchObject({
        hook_event_name: 'BeforeTool',
        tool_name: 'run_shell_command',
        tool_input: { command: 'rm a' },
      });
    },
  );

  test.each(['claude', 'gemini', 'codex'])('a Codex script sees a call of %s as its own', async (agent) => {
    const script = scratch.script('guard.sh', 'cat > seen.json\necho no >&2; exit 2');
    expect(await ask(await command('codex', script), bash(agent, 'rm a'))).toEqual({
      decision: 'deny',
      reason: 'no',
    });
    const seen = JSON.parse(readFileSync(`${scratch.path}/seen.json`, 'utf8'));
    expect(seen).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm a' },
    });
  });

  test('shows a patch file by file, and one denial denies all of it', async () => {
    const script = scratch.script(
      'env.sh',
      'input=$(cat); echo "$input" >> seen.txt; case "$input" in *\'"file_path":".env"\'*) echo "secrets" >&2; exit 2;; esac',
    );
    const hook = await command('claude', script, ['matcher: Write|Edit']);
    const patch =
      '*** Begin Patch\n*** Add File: a.txt\n+hello\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch';
    const event = toolEvent('codex', 'apply_patch', { command: patch }, scratch.path);
    expect(await ask(hook, event)).toEqual({ decision: 'deny', reason: 'secrets' });
    const shown = readFileSync(`${scratch.path}/seen.txt`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(shown.map(({ tool_name, tool_input }) => [tool_name, tool_input])).toEqual([
      ['Write', { file_path: 'a.txt', content: 'hello' }],
      ['Edit', { file_path: '.env', old_string: 'A=1', new_string: 'A=2' }],
    ]);
  });

  test('returns a rewrite in the format of the agent that made the call', async () => {
    const script = scratch.script(
      'slow.sh',
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"ls","run_in_background":true}}}'`,
    );
    const hook = await command('claude', script);
    expect(await ask(hook, bash('gemini', 'ls -R /'))).toEqual({
      decision: 'allow',
      modifyArgs: { command: 'ls', is_background: true },
    });
    const patch = toolEvent('codex', 'apply_patch', {
      command: '*** Begin Patch\n*** Add File: a\n+b\n*** End Patch',
    });
    await expect(ask(hook, patch)).rejects.toThrow('does not support');
  });

  test('events and matchers of an imported entry are those of its agent', async () => {
    const script = scratch.script('gate.sh', 'echo "go on" >&2; exit 2');
    const hook = await entry(['type: command', 'dialect: claude', 'event: Stop', `command: ${script}`]);
    const end = eventOf('gemini', {
      hook_event_name: 'AfterAgent',
      session_id: 's',
      cwd: '/',
      prompt: 'p',
      prompt_response: 'r',
      stop_hook_active: false,
    });
    expect(hook.concerns(end)).toBe(true);
    expect(hook.concerns(bash('claude', 'ls'))).toBe(false);
    expect(await ask(hook, end)).toEqual({ decision: 'deny', reason: 'go on' });
  });

  test('variables that a script leaves for the session', async () => {
    const script = scratch.script(
      'env.sh',
      `printf "export STAGE='test'\\n" >> "$CLAUDE_ENV_FILE"; echo welcome`,
    );
    const hook = await entry([
      'type: command',
      'dialect: claude',
      'event: SessionStart',
      `command: ${script}`,
    ]);
    const start = eventOf('claude', {
      hook_event_name: 'SessionStart',
      session_id: 's',
      cwd: '/',
      source: 'startup',
    });
    expect(await ask(hook, start)).toEqual({ decision: 'none', context: 'welcome', env: { STAGE: 'test' } });
  });
});

describe('scripts that misbehave', () => {
  /** Renamed, so that the file is complete once it exists. */
  const SAY_CHILD = 'echo $! > child.tmp; mv child.tmp child.pid';
  const childPid = async () => {
    const file = `${scratch.path}/child.pid`;
    await until(() => existsSync(file));
    return Number(readFileSync(file, 'utf8'));
  };

  test("too slow: is ended with everything it started, and the answer doesn't wait", async () => {
    const script = scratch.script('slow.sh', `sleep 300 & ${SAY_CHILD}; sleep 300`);
    const hook = await command('claude', script);
    const asked = expect(ask(hook, bash('claude', 'ls'), 400)).rejects.toThrow('took too long');
    const pid = await childPid();
    expect(isRunning(pid)).toBe(true);
    await clock.advance(400);
    await asked;
    await until(() => !isRunning(pid));
  });

  test('10 MB on stdout: discards the rest', async () => {
    const script = scratch.script('loud.sh', 'head -c 10000000 /dev/zero | tr "\\0" x; echo no >&2; exit 2');
    const hook = await command('claude', script);
    expect(await ask(hook, bash('claude', 'ls'))).toEqual({ decision: 'deny', reason: 'no' });
  });

  test.each(['claude', 'gemini', 'codex'])('ended by a signal: no decision, for %s', async (dialect) => {
    const script = scratch.script('dies.sh', 'kill -KILL $$');
    await expect(ask(await command(dialect, script), bash('claude', 'ls'))).rejects.toThrow(
      /ended by a signal|code 137/,
    );
  });

  test("a process left behind doesn't delay the answer", async () => {
    const script = scratch.script('leaves.sh', `sleep 300 & ${SAY_CHILD}; exit 0`);
    const asked = ask(await command('claude', script), bash('claude', 'ls'));
    const pid = await childPid();
    onTestFinished(() => void process.kill(pid));
    // Its own time limit, and the time for its pipes after it ended.
    await until(() => clock.pending() === 2);
    await clock.advance(250);
    expect(await asked).toEqual({ decision: 'none' });
    expect(isRunning(pid)).toBe(true);
  });

  test("doesn't read its input, or doesn't exist", async () => {
    expect(await ask(await command('claude', 'exit 0'), bash('claude', 'x'.repeat(1 << 20)))).toEqual({
      decision: 'none',
    });
    await expect(ask(await command('claude', '/not/there'), bash('claude', 'ls'))).rejects.toThrow(
      'code 127',
    );
  });
});

describe('hooks.yaml', () => {
  test.each([
    [['type: command', 'dialect: cobol', 'command: x'], 'unknown dialect "cobol"'],
    [
      ['type: command', 'dialect: claude', 'event: BeforeTool', 'command: x'],
      'claude has no event "BeforeTool"',
    ],
    [['type: command', 'dialect: claude', 'comand: x'], 'command'],
    [['type: mail'], 'must be command, http or prompt'],
    [['type: prompt', 'prompt: x', 'provider: none'], 'unknown provider "none"'],
    [['type: command', 'dialect: claude', 'command: x', 'timeout: soon'], 'must be as in 500ms'],
    [['type: command', 'dialect: claude', 'command: x', 'on: lunch'], 'unknown event "lunch"'],
  ])('%j is reported with its line', async (lines, message) => {
    inYaml(lines);
    // What it guarded is unknown, so a stand-in fails, open or closed as configured.
    const [standIn, ...others] = await registry.hooksFor(null);
    expect(others).toEqual([]);
    expect(standIn).toMatchObject({ name: 'hooks.yaml', problem: expect.stringContaining(message) });
    await expect(standIn?.run(bash('claude', 'ls'), askWith(1))).rejects.toThrow('cannot be loaded');
    expect(registry.problems()).toEqual([
      { where: expect.stringMatching(/hooks\.yaml:\d+:\d+$/), message: expect.stringContaining(message) },
    ]);
  });

  test('a timeout without a unit uses the unit of the dialect', async () => {
    expect((await command('claude', 'x', ['timeout: 7'])).timeoutMs).toBe(7_000);
    expect((await command('gemini', 'x', ['timeout: 700'])).timeoutMs).toBe(700);
    expect((await command('gemini', 'x', ['timeout: 2s'])).timeoutMs).toBe(2_000);
  });

  test('a broken file keeps its last good hooks', async () => {
    await command('claude', 'exit 0');
    scratch.write('hooks.yaml', 'hooks: [');
    expect(await registry.hooksFor(null)).toHaveLength(1);
    expect(registry.problems()).toHaveLength(1);
  });

  test('an entry for a project applies only there, and a disabled one nowhere', async () => {
    const hook = await command('claude', 'exit 0', [`project: ${scratch.path}`]);
    expect(hook.concerns(bash('claude', 'ls'))).toBe(true);
    expect(hook.concerns(toolEvent('claude', 'Bash', { command: 'ls' }, '/elsewhere'))).toBe(false);
    inYaml(['type: command', 'dialect: claude', 'command: x', 'enabled: false']);
    expect(await registry.hooksFor(null)).toEqual([]);
    expect(existsSync(`${scratch.path}/hooks.yaml`)).toBe(true);
  });
});
