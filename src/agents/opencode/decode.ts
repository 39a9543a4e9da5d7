import * as v from 'valibot';
import type { FileOperation, McpTarget, ToolCall, ToolResult } from '../../model/tools.ts';
import type { ToolRequest } from '../agent.ts';
import { anyObject, named, requiredText, text, textOrEmpty } from '../kit/decoding.ts';
import { type CommonCall, commonCall, renamed } from '../kit/dialect.ts';
import { type HookPayloads, hookPayloads, payloadRows } from '../kit/hook-payloads.ts';
import { listAt, numberAt, objectAt, textAt } from '../kit/loose-json.ts';
import { commonPatch, patchOperations } from '../kit/patch.ts';
import { fileOperation, hookTools, type ToolNames, toolNames } from '../kit/tools.ts';

/** What the host sends with every event. */
const BASE = {
  /** Of the user's session, also for what a subagent does. */
  session_id: requiredText,
  cwd: text,
  /** The client's database. */
  transcript_path: text,
  /** The session of the subagent. */
  agent_id: text,
};

const CALL = { input: v.looseObject({ tool: requiredText, callID: text }) };
const ENDED = { input: v.looseObject({ tool: requiredText, callID: text, args: anyObject }) };
const LAST = { last: text, stop_hook_active: v.nullish(v.boolean(), false) };
const PARTS = v.looseObject({
  parts: v.array(v.looseObject({ type: named, text: textOrEmpty, synthetic: v.nullish(v.boolean(), false) })),
});

const wire = <const E extends v.ObjectEntries>(entries: E) => v.looseObject({ ...BASE, ...entries });
const anyWire = wire({});

/** The event table of the client and of those that are made from it. */
export function payloadsOf(source: string, label: string): HookPayloads<NativeEvent> {
  const row = payloadRows({
    source,
    label,
    common: (payload: v.InferOutput<typeof anyWire>) => ({
      permissionMode: null,
      agentId: payload.agent_id ?? null,
      metadata: metadataOf(payload),
    }),
  });
  return hookPayloads({
    label,
    events: { ...sessionRows(row), ...otherRows(row), ...toolRows(row) },
    unknown: row(anyWire, () => ({ type: 'unknown', problem: null })),
  });
}

type Row = ReturnType<typeof payloadRows<v.InferOutput<typeof anyWire>>>;
export type NativeEvent =
  | keyof ReturnType<typeof sessionRows>
  | keyof ReturnType<typeof otherRows>
  | keyof ReturnType<typeof toolRows>;

function sessionRows(row: Row) {
  return {
    'session.created': row(wire({ agent_type: named, title: text }), (w) =>
      w.agent_id
        ? { type: 'subagent_start', subagentId: w.agent_id, subagentType: w.agent_type }
        : { type: 'session_start', trigger: 'startup', model: null, title: null },
    ),
    // The client has no event for it: the host has met a prompt of a session that it did not see begin.
    'session.resumed': row(anyWire, () => ({
      type: 'session_start',
      trigger: 'resume',
      model: null,
      title: null,
    })),
    'chat.message': row(wire({ output: PARTS }), ({ output }) => ({
      type: 'before_agent',
      prompt: unquoted(promptOf(output)),
      title: null,
    })),
    'command.execute.before': row(
      wire({ input: v.looseObject({ command: v.string(), arguments: textOrEmpty }), output: PARTS }),
      ({ input, output }) => ({
        type: 'user_prompt_expansion',
        prompt: promptOf(output),
        commandName: input.command,
        commandArgs: input.arguments,
        expansion: 'slash_command',
      }),
    ),
    'session.idle': row(wire(LAST), (w) => ({ type: 'stop', ...turn(w) })),
    // The same event of the client, about the session of a subagent.
    'subagent.idle': row(wire(LAST), (w) => ({
      type: 'subagent_stop',
      ...turn(w),
      subagentId: w.agent_id ?? null,
      subagentType: 'unknown',
      subagentTranscriptPath: null,
    })),
    // At a normal end of the process; a signal ends it without one.
    dispose: row(anyWire, () => ({ type: 'session_end', reason: 'exit' })),
  } as const;
}

function otherRows(row: Row) {
  return {
    'session.error': row(wire({ error: v.optional(v.unknown()) }), ({ error }) => ({
      type: 'stop_failure',
      error: textAt(error, 'name') ?? 'unknown',
      details: textAt(objectAt(error, 'data'), 'message'),
      lastAssistantMessage: null,
    })),
    'experimental.session.compacting': row(anyWire, () => ({
      type: 'pre_compact',
      trigger: 'unknown',
      instructions: null,
    })),
    'session.compacted': row(anyWire, () => ({ type: 'post_compact', trigger: 'unknown', summary: null })),
  } as const;
}

function toolRows(row: Row) {
  return {
    'tool.execute.before': row(wire({ ...CALL, output: v.looseObject({ args: anyObject }) }), (w) => ({
      type: 'before_tool',
      tool: call(w.input.tool, w.output.args, w.input.callID),
    })),
    'tool.execute.after': row(wire({ ...ENDED, output: v.optional(v.unknown()) }), (w) => ({
      type: 'after_tool',
      tool: result(w.input, w.output ?? null, outcomeOf(w.input.tool, w.output)),
    })),
    // Known from a part of the message only: no hook is called after a call that failed.
    'tool.failed': row(wire({ ...ENDED, error: textOrEmpty }), (w) => ({
      type: 'after_tool',
      tool: result(w.input, w.error, { error: w.error, outcome: 'failed' }),
    })),
    'permission.asked': row(
      wire({
        asked: v.looseObject({
          permission: requiredText,
          metadata: v.optional(anyObject, {}),
          always: v.optional(v.array(v.string()), []),
          tool: v.optional(v.looseObject({ callID: text })),
        }),
        call: v.nullish(v.looseObject({ tool: requiredText, args: anyObject })),
      }),
      ({ asked, call: known }) => ({
        type: 'permission_request',
        tool: call(known?.tool ?? asked.permission, known?.args ?? asked.metadata, asked.tool?.callID),
        suggestions: asked.always.map((pattern) => ({ permission: asked.permission, pattern })),
      }),
    ),
  } as const;
}

function turn({ last, stop_hook_active }: { last?: string | null | undefined; stop_hook_active: boolean }) {
  return { stopHookActive: stop_hook_active, lastAssistantMessage: last ?? null, backgroundTasks: [] };
}

function promptOf({ parts }: v.InferOutput<typeof PARTS>): string {
  return parts
    .flatMap(({ type, text: said, synthetic }) => (type === 'text' && !synthetic ? [said] : []))
    .join('\n');
}

/** `run` puts quotes around an argument with blanks in it (1.18.33). */
export function unquoted(prompt: string): string {
  return prompt.length > 2 && /^"[^"]*"$/.test(prompt) ? prompt.slice(1, -1) : prompt;
}

function metadataOf(payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const judged = objectAt(payload, 'judged');
  if (judged === null) return {};
  return { judgedInput: judged, problem: 'The call ran with other arguments than the decided ones.' };
}

/** Canonical name, then the client's own (1.18.33). */
export const NAMES: ToolNames = toolNames([
  ['Bash', 'bash'],
  // Of Kilo: a command that runs in the background.
  ['Monitor', 'background_process'],
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'edit'],
  ['Glob', 'glob'],
  ['Grep', 'grep'],
  ['Ls', 'list'],
  ['Task', 'task'],
  ['Skill', 'skill'],
  ['TodoWrite', 'todowrite'],
  ['WebFetch', 'webfetch'],
  ['WebSearch', 'websearch'],
  ['AskUserQuestion', 'question'],
  ['ExitPlanMode', 'plan_exit'],
  ['EnterPlanMode', 'plan_enter'],
]);

const tools = hookTools({ names: NAMES, cwd: ['workdir'], files: filesOf });

export const { withInput } = tools;

/** Its own tools that have a `_`, and those of Kilo. */
const BUILT_IN = new Set([
  ...['apply_patch', 'plan_enter', 'plan_exit'],
  ...['list_mcp_resources', 'list_mcp_resource_templates', 'read_mcp_resource'],
  ...['background_process', 'board_post', 'board_read', 'cron_create', 'cron_delete', 'cron_list'],
  ...['cancel_wakeup', 'schedule_wakeup', 'kilo_local_recall', 'link_pr'],
]);

/** `<server>_<tool>`, with no sign of where the server ends: its name may have a `_`, but most have none (1.18.33). */
function mcpIn(tool: string): McpTarget | null {
  const at = tool.indexOf('_');
  if (BUILT_IN.has(tool) || at < 1 || at === tool.length - 1) return null;
  return { server: tool.slice(0, at), tool: tool.slice(at + 1) };
}

function call(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  id: string | null | undefined,
): ToolCall {
  return tools.call({ tool_name: tool, tool_input: args, tool_use_id: id }, mcpIn(tool));
}

function result(
  {
    tool,
    args,
    callID,
  }: { tool: string; args: Readonly<Record<string, unknown>>; callID?: string | null | undefined },
  response: unknown,
  how: Pick<ToolResult, 'error' | 'outcome'>,
): ToolResult {
  const named = { tool_name: tool, tool_input: args, tool_use_id: callID };
  return tools.result(named, { response, durationMs: null, ...how }, mcpIn(tool));
}

/** A command that fails is a success to the client (1.18.33): its exit code says otherwise. */
function outcomeOf(tool: string, output: unknown): Pick<ToolResult, 'error' | 'outcome'> {
  const exit = exitCodeOf(output);
  if (tool === 'bash' && exit === null) return { error: null, outcome: 'interrupted' };
  return exit === null || exit === 0
    ? { error: null, outcome: 'ok' }
    : { error: `Exit Code: ${exit}`, outcome: 'failed' };
}

/** The exit code of a command; null for other tools, and for one that was stopped. */
export function exitCodeOf(output: unknown): number | null {
  const metadata = objectAt(output, 'metadata');
  return typeof metadata?.exit === 'number' ? numberAt(metadata, 'exit') : null;
}

function filesOf(
  { nativeName, name, input }: Pick<ToolCall, 'nativeName' | 'name' | 'input'>,
  response: unknown,
): readonly FileOperation[] {
  if (nativeName === 'apply_patch') return patchOperations(textAt(input, 'patchText') ?? '');
  const path = textAt(input, 'filePath');
  const isNew = objectAt(response, 'metadata')?.exists === false;
  return path === null ? [] : fileOperation(name, path, isNew);
}

/** What the host would send before a call of this tool. */
export function toolPayload({ id, tool, input, cwd }: ToolRequest): unknown {
  return {
    hook_event_name: 'tool.execute.before',
    session_id: id,
    cwd,
    input: { tool: NAMES.native(tool), sessionID: id, callID: id },
    output: { args: renamed(input, WORDS) },
  };
}

/** What the model reads of a result: that of an MCP server is a list. */
export function resultText(response: unknown): string | null {
  if (typeof response === 'string') return response;
  const texts = listAt(response, 'content').flatMap((part) => textAt(part, 'text') ?? []);
  return textAt(response, 'output') ?? (texts.length > 0 ? texts.join('\n') : null);
}

/** The common names of arguments, in the client's own words. */
const WORDS = {
  file_path: 'filePath',
  old_string: 'oldString',
  new_string: 'newString',
  replace_all: 'replaceAll',
};

export function describe(tool: ToolCall | ToolResult): readonly CommonCall[] {
  const call = commonCall(tool, (response) => resultText(response) ?? '', tool.mcp ? {} : WORDS);
  return tool.nativeName === 'apply_patch'
    ? commonPatch(call, textAt(tool.input, 'patchText') ?? '')
    : [call];
}
