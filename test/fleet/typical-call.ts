import { eventBase } from '../../src/model/event-base.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { PASSTHROUGH } from '../../src/model/native.ts';
import type { CallRecord } from '../../src/model/recording.ts';
import { none } from '../../src/model/responses.ts';
import { type ToolCall, toolKind } from '../../src/model/tools.ts';

/** What a tool prints, on the average: about 1,500 characters. */
const OUTPUT = Array.from(
  { length: 24 },
  (_, at) => ` ✓ src/cart/total-${at}.test.ts (${at + 3} tests) 1${at} ms, all of them passed`,
).join('\n');

const COMMANDS = [
  'npm test -- --run src/cart',
  'git add -A && git commit -m "fix the total of the cart"',
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l total",
  'cd packages/api && python3 -m pytest -x -q',
];

/** The nth call of a machine: commands by turns before they run and with what they printed, 200 calls a session. */
export function typicalCall(id: string, nth: number): CallRecord {
  const isBefore = nth % 2 === 0;
  const command = COMMANDS[Math.floor(nth / 2) % COMMANDS.length] ?? '';
  const session = `${id.split('-')[0]}-session-${Math.floor(nth / 200)}`;
  const useId = `toolu_${Math.floor(nth / 2)}`;
  const base = eventBase({
    id,
    source: 'claude',
    nativeEvent: isBefore ? 'PreToolUse' : 'PostToolUse',
    sessionId: session,
    timestamp: Date.now(),
    cwd: '/home/dev/shop',
    transcriptPath: `/home/dev/.claude/projects/-home-dev-shop/${session}.jsonl`,
    machineId: 'simulated',
    userId: 'dev',
    projectId: '/home/dev/shop',
    native: nativeCall({ isBefore, session, command, useId }),
  });
  const event: HookEvent = isBefore
    ? { ...base, type: 'before_tool', tool: tool(command, useId) }
    : {
        ...base,
        type: 'after_tool',
        tool: {
          ...tool(command, useId),
          response: { stdout: OUTPUT, stderr: '', interrupted: false },
          error: null,
          outcome: 'ok',
          durationMs: 812,
        },
      };
  const rest = { opinions: [], degraded: [], delivered: [], deferred: null, latencyMs: 1.2 };
  return { event, response: none(), answer: PASSTHROUGH, ...rest };
}

function tool(command: string, useId: string): ToolCall {
  return {
    name: 'Bash',
    nativeName: 'Bash',
    kind: toolKind('Bash', null),
    input: { command },
    useId,
    mcp: null,
    command,
    files: [],
  };
}

interface Native {
  readonly isBefore: boolean;
  readonly session: string;
  readonly command: string;
  readonly useId: string;
}

function nativeCall({ isBefore, session, command, useId }: Native): object {
  return {
    session_id: session,
    transcript_path: `/home/dev/.claude/projects/-home-dev-shop/${session}.jsonl`,
    cwd: '/home/dev/shop',
    permission_mode: 'default',
    hook_event_name: isBefore ? 'PreToolUse' : 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'What it is for' },
    tool_use_id: useId,
    ...(isBefore ? {} : { tool_response: { stdout: OUTPUT, stderr: '', interrupted: false } }),
  };
}
