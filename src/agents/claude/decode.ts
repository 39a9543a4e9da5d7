import type * as v from 'valibot';
import { DecodeError } from '../../model/errors.ts';
import type { HookEvent } from '../../model/events.ts';
import { type PayloadDecoder, payloadDecoders } from '../_families/hook-payloads.ts';
import type { NativeCall } from '../agent.ts';
import { metadataOf } from './metadata.ts';
import { nativeEventName } from './names.ts';
import { responseOf, toolCall, toolResult, wasInterrupted } from './tools.ts';
import { unknownWire, WIRE } from './wire.ts';

type Wire = v.InferOutput<typeof unknownWire>;

/** Turns one call into the event it means. Throws only DecodeError. */
export function decode(call: NativeCall): HookEvent {
  const name = nativeEventName(call);
  if (name === null) throw new DecodeError('Claude Code sent a payload that does not name its event');
  return (DECODERS.get(name) ?? decodeUnknown)(call, name);
}

const decoder = payloadDecoders({
  source: 'claude',
  label: 'Claude Code',
  told: (wire: Wire, name, call) => ({
    machineId: wire.machine_id || null,
    permissionMode: wire.permission_mode ?? null,
    agentId: wire.agent_id ?? null,
    metadata: metadataOf(name, wire, call.env),
  }),
});

const decodeUnknown = decoder(unknownWire, () => ({ type: 'unknown', problem: null }));

const DECODERS: ReadonlyMap<string, PayloadDecoder> = new Map<keyof typeof WIRE, PayloadDecoder>([
  ['PreToolUse', decoder(WIRE.PreToolUse, (w) => ({ type: 'before_tool', tool: toolCall(w) }))],
  [
    'PermissionRequest',
    decoder(WIRE.PermissionRequest, (w) => ({
      type: 'permission_request',
      // The client sends no id here, and what an older wrapper sends is not the id of the call.
      tool: { ...toolCall(w), useId: null },
      suggestions: w.permission_suggestions,
    })),
  ],
  [
    'PermissionDenied',
    decoder(WIRE.PermissionDenied, (w) => ({
      type: 'permission_denied',
      tool: toolCall(w),
      reason: w.reason,
    })),
  ],
  [
    'PostToolUse',
    decoder(WIRE.PostToolUse, (w) => ({
      type: 'after_tool',
      tool: toolResult(w, { error: null, outcome: wasInterrupted(responseOf(w)) ? 'interrupted' : 'ok' }),
    })),
  ],
  [
    'PostToolUseFailure',
    decoder(WIRE.PostToolUseFailure, (w) => {
      const response = responseOf(w);
      const error = w.error ?? (typeof response === 'string' ? response : null);
      return {
        type: 'after_tool',
        tool: toolResult(w, { error, outcome: w.is_interrupt ? 'interrupted' : 'failed' }, response),
      };
    }),
  ],
  [
    'PostToolBatch',
    decoder(WIRE.PostToolBatch, (w) => ({
      type: 'post_tool_batch',
      // Here the response is what the model sees: failed and denied calls look like any other text.
      calls: w.tool_calls.map((call) => toolResult(call, { error: null, outcome: 'unknown' })),
    })),
  ],
  [
    'UserPromptSubmit',
    decoder(WIRE.UserPromptSubmit, (w) => ({
      type: 'before_agent',
      prompt: w.prompt,
      title: w.session_title ?? null,
    })),
  ],
  [
    'UserPromptExpansion',
    decoder(WIRE.UserPromptExpansion, (w) => ({
      type: 'user_prompt_expansion',
      prompt: w.prompt,
      commandName: w.command_name,
      commandArgs: w.command_args,
      expansion: w.expansion_type,
    })),
  ],
  [
    'SessionStart',
    decoder(WIRE.SessionStart, (w) => ({
      type: 'session_start',
      trigger: w.source,
      model: w.model ?? null,
      title: w.session_title ?? null,
    })),
  ],
  ['SessionEnd', decoder(WIRE.SessionEnd, (w) => ({ type: 'session_end', reason: w.reason }))],
  ['Setup', decoder(WIRE.Setup, (w) => ({ type: 'setup', trigger: w.trigger }))],
  ['Stop', decoder(WIRE.Stop, (w) => ({ type: 'stop', ...turn(w) }))],
  [
    'StopFailure',
    decoder(WIRE.StopFailure, (w) => ({
      type: 'stop_failure',
      error: w.error,
      details: w.error_details ?? null,
      lastAssistantMessage: w.last_assistant_message ?? null,
    })),
  ],
  [
    'SubagentStart',
    decoder(WIRE.SubagentStart, (w) => ({
      type: 'subagent_start',
      subagentId: w.subagent_id ?? w.agent_id ?? null,
      subagentType: w.agent_type ?? 'unknown',
    })),
  ],
  [
    'SubagentStop',
    decoder(WIRE.SubagentStop, (w) => ({
      type: 'subagent_stop',
      ...turn(w),
      subagentId: w.subagent_id ?? w.agent_id ?? null,
      subagentType: w.agent_type ?? 'unknown',
      subagentTranscriptPath: w.agent_transcript_path || null,
    })),
  ],
  ['TeammateIdle', decoder(WIRE.TeammateIdle, (w) => ({ type: 'teammate_idle', teammate: w.teammate_name }))],
  ['TaskCreated', decoder(WIRE.TaskCreated, (w) => ({ type: 'task_created', ...task(w) }))],
  ['TaskCompleted', decoder(WIRE.TaskCompleted, (w) => ({ type: 'task_completed', ...task(w) }))],
  [
    'PreCompact',
    decoder(WIRE.PreCompact, (w) => ({
      type: 'pre_compact',
      trigger: w.trigger,
      instructions: w.custom_instructions ?? null,
    })),
  ],
  [
    'PostCompact',
    decoder(WIRE.PostCompact, (w) => ({
      type: 'post_compact',
      trigger: w.trigger,
      summary: w.compact_summary ?? null,
    })),
  ],
  ['PreModelSwitch', decoder(WIRE.PreModelSwitch, (w) => ({ type: 'pre_model_switch', ...model(w) }))],
  ['PostModelSwitch', decoder(WIRE.PostModelSwitch, (w) => ({ type: 'post_model_switch', ...model(w) }))],
  [
    'Notification',
    decoder(WIRE.Notification, (w) => ({
      type: 'notification',
      message: w.message,
      title: w.title ?? null,
      kind: w.notification_type,
    })),
  ],
  [
    'Elicitation',
    decoder(WIRE.Elicitation, (w) => ({
      type: 'elicitation',
      server: w.mcp_server_name,
      message: w.message,
      mode: w.mode,
      schema: w.requested_schema ?? null,
    })),
  ],
  [
    'ElicitationResult',
    decoder(WIRE.ElicitationResult, (w) => ({
      type: 'elicitation_result',
      server: w.mcp_server_name,
      action: w.action,
      content: w.content ?? null,
    })),
  ],
  [
    'ConfigChange',
    decoder(WIRE.ConfigChange, (w) => ({
      type: 'config_change',
      scope: w.source,
      path: w.file_path ?? null,
    })),
  ],
  [
    'InstructionsLoaded',
    decoder(WIRE.InstructionsLoaded, (w) => ({
      type: 'instructions_loaded',
      path: w.file_path,
      scope: w.memory_type,
      reason: w.load_reason,
    })),
  ],
  ['CwdChanged', decoder(WIRE.CwdChanged, (w) => ({ type: 'cwd_changed', from: w.old_cwd, to: w.new_cwd }))],
  [
    'FileChanged',
    decoder(WIRE.FileChanged, (w) => ({ type: 'file_changed', path: w.file_path, change: w.event })),
  ],
  [
    'DirectoryAdded',
    decoder(WIRE.DirectoryAdded, (w) => ({ type: 'directory_added', path: w.directory, trigger: w.source })),
  ],
  ['WorktreeCreate', decoder(WIRE.WorktreeCreate, (w) => ({ type: 'worktree_create', name: w.name }))],
  [
    'WorktreeRemove',
    decoder(WIRE.WorktreeRemove, (w) => ({ type: 'worktree_remove', path: w.worktree_path })),
  ],
  [
    'MessageDisplay',
    decoder(WIRE.MessageDisplay, (w) => ({
      type: 'message_display',
      messageId: w.message_id,
      index: w.index,
      final: w.final,
      delta: w.delta,
    })),
  ],
]);

function turn(w: v.InferOutput<typeof WIRE.Stop>) {
  return {
    stopHookActive: w.stop_hook_active,
    lastAssistantMessage: w.last_assistant_message ?? null,
    backgroundTasks: w.background_tasks.map((t) => ({
      id: t.id,
      kind: t.type,
      status: t.status,
      description: t.description,
    })),
  };
}

function task(w: v.InferOutput<typeof WIRE.TaskCreated>) {
  return {
    taskId: w.task_id,
    subject: w.task_subject,
    description: w.task_description ?? null,
    teammate: w.teammate_name ?? null,
  };
}

function model(w: v.InferOutput<typeof WIRE.PreModelSwitch>) {
  return { fromModel: w.from_model, toModel: w.to_model, trigger: w.source };
}
