import type { Agent } from '../../agents/agent.ts';
import type { AgentHistory } from '../../agents/kit/history.ts';
import type { Change, FileChange } from '../../model/changes.ts';
import { isToolEvent } from '../../model/events.ts';
import type { ToolCall, ToolOutcome, ToolResult } from '../../model/tools.ts';
import { canonicalEvent } from '../../store/read/canonical-event.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';

/** Details of a call, for surfaces with enough room. */
export interface CallDetail {
  /** The command line, for shells only. */
  readonly command: string | null;
  readonly changes: readonly Change[];
  /** Null until the call has ended. */
  readonly result: {
    readonly outcome: ToolOutcome;
    readonly error: string | null;
    /** Its output or return value. */
    readonly output: string | null;
    readonly durationMs: number | null;
  } | null;
}

/** An event with everything to show. */
export interface EventDetail extends StoredEvent {
  /** Null for an event without a call. */
  readonly call: CallDetail | null;
}

export function eventDetail(stored: StoredEvent, agents: ReadonlyMap<string, Agent>): EventDetail {
  return { ...stored, call: callDetail(stored, agents) };
}

export function callDetail(stored: StoredEvent, agents: ReadonlyMap<string, Agent>): CallDetail | null {
  const event = canonicalEvent(stored.event);
  if (event === null || !isToolEvent(event)) return null;
  const history = agents.get(event.source)?.history;
  const result = event.type === 'after_tool' ? event.tool : null;
  return {
    command: event.tool.command,
    changes: shownChanges(history, event.tool, result?.response ?? null),
    result: result && {
      outcome: result.outcome,
      error: result.error,
      output: outputOf(result, history),
      durationMs: result.durationMs,
    },
  };
}

/** A call's changes to files, as parsed by its agent; empty if it writes none. */
export function changesOf(
  history: AgentHistory | undefined,
  tool: ToolCall,
  response: unknown = null,
): readonly FileChange[] {
  return tool.files.some(({ op }) => op !== 'read') ? (history?.changes(tool, response) ?? []) : [];
}

/** The same without the text that the lines repeat. */
export function shownChanges(
  history: AgentHistory | undefined,
  tool: ToolCall,
  response: unknown = null,
): readonly Change[] {
  return changesOf(history, tool, response).map(({ path, lines }) => ({ path, lines }));
}

function outputOf(tool: ToolResult, history: AgentHistory | undefined): string | null {
  const output = history?.output(tool) ?? tool.response ?? null;
  if (output === null || output === tool.error) return null;
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}
