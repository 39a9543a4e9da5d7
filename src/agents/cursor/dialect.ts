import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import {
  addChanges,
  answered,
  type CommonCall,
  commonCall,
  type Dialect,
  describeExit,
  failed,
  type HookFields,
  type HookRun,
  hookDialect,
  type Presented,
  parseRecord,
  type ResponseDraft,
  silent,
  textIn,
  unfinished,
  type Verdict,
} from '../kit/dialect.ts';
import type { PlacedHandler } from '../setup/hook-groups.ts';
import { type AgentImports, importsFrom, scopedSources } from '../setup/imports.ts';
import { mcpName, NAMES, payloads } from './decode.ts';
import { formOf } from './encode.ts';
import { hooksPath, settings } from './setup.ts';

/** Cursor as hooks see it: as the executor in @cursor/sdk 1.0.32 calls and reads them. */
export const dialect: Dialect = hookDialect({
  id: 'cursor',
  timeoutUnit: 's',
  defaultTimeoutMs: 60_000,
  events: payloads.names,
  shell: (command, env) => [env.SHELL || '/bin/sh', '-lc', command],
  describe: (tool) => [commonCall(tool, outputText)],
  fields,
  toolFields,
  payload: (event, own) => ({
    conversation_id: event.sessionId,
    generation_id: event.id,
    session_id: event.sessionId,
    cursor_version: '1.0.32',
    workspace_roots: event.cwd === null ? [] : [event.cwd],
    user_email: null,
    transcript_path: event.transcriptPath,
    ...own,
  }),
  subjects: {
    preToolUse: 'tool_name',
    postToolUse: 'tool_name',
    postToolUseFailure: 'tool_name',
    beforeShellExecution: 'command',
    beforeMCPExecution: 'tool_name',
    subagentStart: 'subagent_type',
    subagentStop: 'subagent_type',
  },
  env: ({ cwd }) => ({
    CURSOR_PROJECT_DIR: cwd ?? '',
    CURSOR_VERSION: '1.0.32',
    // It sets this one too, for scripts that were written for another client.
    CLAUDE_PROJECT_DIR: cwd ?? '',
  }),
  matches: (matcher, subject) => {
    try {
      return new RegExp(matcher).test(subject);
    } catch {
      return matcher === subject;
    }
  },
  interpret,
});

export function outputText(response: unknown): string {
  return typeof response === 'string' ? response : JSON.stringify(response ?? '');
}

function fields(event: HookEvent): HookFields | null {
  switch (event.type) {
    case 'session_start':
      return { hook_event_name: 'sessionStart', is_background_agent: false, composer_mode: 'agent' };
    case 'session_end':
      return { hook_event_name: 'sessionEnd', reason: event.reason };
    case 'before_agent':
      return { hook_event_name: 'beforeSubmitPrompt', prompt: event.prompt, attachments: [] };
    case 'stop':
    case 'after_agent':
      return { hook_event_name: 'stop', status: 'completed', loop_count: event.stopHookActive ? 1 : 0 };
    case 'subagent_start':
      return {
        hook_event_name: 'subagentStart',
        subagent_id: event.subagentId,
        subagent_type: event.subagentType,
      };
    case 'subagent_stop':
      return {
        hook_event_name: 'subagentStop',
        subagent_id: event.subagentId,
        subagent_type: event.subagentType,
        loop_count: event.stopHookActive ? 1 : 0,
      };
    case 'pre_compact':
      return { hook_event_name: 'preCompact', trigger: event.trigger };
    default:
      return null;
  }
}

function toolFields(event: HookEvent, call: CommonCall): HookFields | null {
  const tool = {
    tool_name: call.mcp ? mcpName(call.mcp) : NAMES.native(call.name),
    tool_input: call.input,
    tool_use_id: call.useId ?? '',
    cwd: event.cwd ?? '',
  };
  if (event.type === 'before_tool') return { hook_event_name: 'preToolUse', ...tool };
  if (event.type !== 'after_tool' || call.result === null) return null;
  const { output, error, outcome, durationMs } = call.result;
  const duration = durationMs ?? 0;
  if (outcome === 'ok' || outcome === 'unknown')
    return { hook_event_name: 'postToolUse', ...tool, tool_output: output, duration };
  return {
    hook_event_name: 'postToolUseFailure',
    ...tool,
    error_message: error ?? output,
    failure_type: outcome === 'denied' ? 'permission_denied' : 'error',
    duration,
    is_interrupt: outcome === 'interrupted',
  };
}

/** How the executor reads a hook's output. What it cannot read refuses where a permission is asked for. */
function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const broken = unfinished(run);
  if (broken !== null) return broken;
  const form = formOf(presented.event) ?? {};
  const text = run.stdout.trim();
  const deny = (reason: string) => answered({ decision: 'deny', reason });
  if (run.exit === 2 && (form.refusal === 'permission' || form.refusal === 'continue'))
    return deny(text || `Hook blocked with message: ${run.stderr.trim()}`);
  if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
  if (text === '') return silent();
  const output = parseRecord(text) ?? parseRecord(text.slice(text.lastIndexOf('\n') + 1));
  if (output !== null) return answered(responseOf(presented, output));
  return form.refusal === 'permission' ? deny('A hook returned invalid JSON.') : silent();
}

const KNOWN: readonly unknown[] = [undefined, null, 'allow', 'deny', 'ask'];

function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const form = formOf(presented.event) ?? {};
  const draft: ResponseDraft = { decision: 'none' };
  const message = textIn(output.agent_message) ?? textIn(output.user_message);
  const refuse = (reason: string) => Object.assign(draft, { decision: 'deny', reason });
  const { permission } = output;
  if (form.refusal === 'permission' && !KNOWN.includes(permission))
    refuse('A hook returned an invalid response.');
  else if (form.refusal === 'permission' && permission === 'deny') refuse(message ?? 'Denied by a hook.');
  // A question is acted on only where there is a dialog, and an allow skips nothing.
  else if (form.asks && permission === 'ask')
    Object.assign(draft, { decision: 'ask', reason: message ?? 'A hook wants this to be asked.' });
  else if (form.refusal === 'continue' && output.continue === false) refuse(message ?? 'Blocked by a hook.');
  const followup = textIn(output.followup_message) ?? blockedStop(output);
  if (form.refusal === 'followup' && followup !== undefined) refuse(followup);
  if (presented.event === 'preToolUse') addChanges(presented, output.updated_input, draft);
  const context = textIn(output.additional_context);
  if (context !== undefined && form.context === 'own') draft.context = context;
  return draft;
}

/** The one answer of Claude Code's that it understands. */
function blockedStop({ decision, reason }: Record<string, unknown>): string | undefined {
  return decision === 'block' ? textIn(reason) : undefined;
}

const command = v.looseObject({
  type: v.optional(v.literal('command')),
  command: v.string(),
  timeout: v.optional(v.number()),
  failClosed: v.optional(v.boolean()),
});

/** Hooks in the files of the user and the project. */
export const imports: AgentImports = importsFrom({
  id: 'cursor',
  sources: (context) => scopedSources(context, hooksPath),
  groups: settings.groups,
  entry,
});

function entry({ handler }: PlacedHandler) {
  if (!v.is(command, handler)) return { why: 'it is not a command, and Cursor runs it itself' };
  const { timeout, failClosed } = handler;
  return {
    type: 'command',
    command: handler.command,
    ...(timeout === undefined ? {} : { timeout: `${timeout}s` }),
    ...(failClosed ? { failure: 'closed' } : {}),
  };
}
