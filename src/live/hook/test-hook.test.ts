import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { defineHook } from '../../hooks/define.ts';
import { EVENT_TYPES } from '../../model/events.ts';
import { ask, context, deny, rewrite } from '../../model/responses.ts';
import { EVENT_DEFAULTS } from './event-defaults.ts';
import type { DescribedEvent } from './event-description.ts';
import { testHook } from './test-hook.ts';

const guard = defineHook({
  on: 'before_tool',
  tool: 'Bash',
  run: ({ tool }) => (tool.command.includes('destroy') ? deny('By hand.') : null),
});
const destroy = { tool: 'Bash', input: { command: 'terraform destroy' } };

function fileWith(text: string, name = 'guard.ts'): string {
  const file = join(scratchFolder(), name);
  writeFileSync(file, text);
  return file;
}

const SOURCE = `
  import { defineHook, deny } from 'hookline';
  export default defineHook({
    on: 'before_tool',
    tool: 'Bash',
    run({ tool }): ReturnType<typeof deny> | undefined {
      if (tool.command.includes('destroy')) return deny('By hand.');
    },
  });
`;

describe('calls a hook as Hookline does', () => {
  test.each([...AGENTS.keys()])('about a call of %s', async (agent) => {
    expect(await testHook(guard, { ...destroy, agent })).toEqual({ decision: 'deny', reason: 'By hand.' });
    expect(await testHook(guard, { tool: 'Bash', input: { command: 'ls' }, agent })).toEqual({
      decision: 'none',
    });
    expect(await testHook(guard, { tool: 'Read', input: { file_path: 'destroy' }, agent })).toEqual({
      decision: 'none',
    });
  });

  test('from a file, in TypeScript', async () => {
    const file = fileWith(SOURCE);
    for (const given of [file, pathToFileURL(file)])
      expect(await testHook(given, destroy)).toEqual({ decision: 'deny', reason: 'By hand.' });
  });

  test('several in order: each gets the call as changed by the one before, and the strictest wins', async () => {
    const seen: unknown[] = [];
    const hooks = [
      defineHook({ on: 'before_tool', run: () => rewrite({ command: 'ls' }) }),
      defineHook({
        on: 'tool',
        run: ({ tool }) => {
          seen.push(tool.command);
          return ask('Sure?');
        },
      }),
      defineHook({ on: 'before_tool', agent: 'unknown', run: () => deny('Never.') }),
    ];
    expect(await testHook(hooks, destroy)).toEqual({
      decision: 'ask',
      reason: 'Sure?',
      modifyArgs: { command: 'ls' },
    });
    expect(seen).toEqual(['ls']);
  });
});

describe('events in short form', () => {
  const tell = defineHook({
    on: [...EVENT_TYPES],
    run: ({ id, timestamp, receivedAt, native, ...event }) => context(JSON.stringify(event)),
  });
  const told = async (event: DescribedEvent) => JSON.parse((await testHook(tell, event)).context ?? '');

  test('omitted fields have typical values', async () => {
    expect(await told({ type: 'before_agent', prompt: 'Hi', cwd: '/w' })).toMatchObject({
      type: 'before_agent',
      prompt: 'Hi',
      title: null,
      cwd: '/w',
      promptNumber: 1,
    });
    const after = { type: 'after_tool', tool: 'Bash', input: { command: 'x' }, error: 'Not found' } as const;
    expect((await told({ ...after, agent: 'gemini' })).tool).toMatchObject({
      nativeName: 'run_shell_command',
      command: 'x',
      error: 'Not found',
      outcome: 'failed',
    });
  });

  test('the end of a turn is the event that the agent uses for it', async () => {
    expect((await told({ type: 'turn_end', agent: 'claude' })).type).toBe('stop');
    expect((await told({ type: 'turn_end', agent: 'gemini' })).type).toBe('after_agent');
  });

  test('every type can be described', async () => {
    const tools = ['before_tool', 'after_tool', 'permission_request', 'permission_denied'] as const;
    for (const type of tools) expect((await told({ type, tool: 'Bash', input: {} })).type).toBe(type);
    const others = EVENT_TYPES.filter((type) => !tools.some((one) => one === type));
    expect(Object.keys(EVENT_DEFAULTS).sort()).toEqual([...others].sort());
  });

  test('a payload as a client sent it', async () => {
    const payload = {
      session_id: 's',
      cwd: '/w',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'terraform destroy' },
    };
    expect((await testHook(guard, { agent: 'claude', payload })).decision).toBe('deny');
  });
});

test("events of one session: a hook's state, and what it may no longer deny", async () => {
  const once = defineHook({
    on: 'turn_end',
    run: (_, { session }) => {
      const state: { times?: number } = session.state;
      state.times = (state.times ?? 0) + 1;
      return deny(`Refused ${state.times}.`);
    },
  });
  const end = { type: 'turn_end' } as const;
  const answers = await testHook(once, [{ type: 'turn_start', prompt: 'Go' }, end, end, end, end]);
  expect(answers.map(({ decision, reason }) => reason ?? decision)).toEqual([
    'none',
    'Refused 1.',
    'Refused 2.',
    'Refused 3.',
    'none',
  ]);
});

describe('an undelivered decision is an error of the test', () => {
  const failing = (run: () => never) => defineHook({ on: 'before_tool', name: 'mine', run });
  test('a hook that throws', async () => {
    const broken = failing(() => {
      throw new Error('no such table');
    });
    await expect(testHook(broken, destroy)).rejects.toMatchObject({
      code: 'HOOK_FAILED',
      message: 'The hook mine failed: no such table',
    });
  });

  test('one that hangs', async () => {
    const slow = defineHook({ on: 'before_tool', timeoutMs: 1, run: () => new Promise<null>(() => {}) });
    await expect(testHook(slow, destroy)).rejects.toThrow('no answer within');
  });

  test("one that returns nonsense, or a value that threads can't pass", async () => {
    const answering = (answer: object) =>
      testHook(defineHook({ on: 'before_tool', run: () => Object(answer) }), destroy);
    await expect(answering({ decison: 'deny' })).rejects.toThrow('decison that is not known');
    await expect(answering({ decision: 'deny', metadata: { f: () => {} } })).rejects.toThrow('cloned');
  });

  test('an invalid or missing file', async () => {
    await expect(testHook(fileWith('export const a = 1;'), destroy)).rejects.toMatchObject({
      code: 'HOOK_FAILED',
      message: expect.stringContaining('its default export was not made by defineHook()'),
    });
    await expect(testHook('/no/such/hook.ts', destroy)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    [{ type: 'before_tol' }, '"before_tol" is not a type of an event; did you mean before_tool?'],
    [{ ...destroy, type: 'before_tol' }, 'type of an event with a tool; did you mean before_tool?'],
    [{ tool: 'Bash', inputs: {} }, '"inputs" is not a key of this event; did you mean input?'],
    [{ tool: 'Bsh', input: {} }, 'Unknown tool Bsh; did you mean Bash?'],
    [{ tool: 'Bash' }, 'The call of Bash has no input.'],
    [{ type: 'before_tool' }, 'is about a tool call'],
    [{ type: 'turn_start', promt: 'Hi' }, '"promt" is not a key of this event; did you mean prompt?'],
    [{}, 'The event has neither'],
    [{ agent: 'claude', payload: {}, evnt: 'x' }, 'did you mean event?'],
  ])('a misspelled event: %j', async (event, message) => {
    await expect(testHook(guard, Object(event))).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message),
    });
  });

  test('an unknown tool name is not treated as a typo', async () => {
    const calls = ['mcp__github__create_issue', 'deploy'].map((tool) => ({ tool, input: {} }));
    for (const call of calls) expect(await testHook(guard, call)).toEqual({ decision: 'none' });
  });

  test('rejects an unknown agent', async () => {
    await expect(testHook(guard, { ...destroy, agent: 'nonesuch' })).rejects.toThrow(
      'Unknown agent "nonesuch".',
    );
  });
});
