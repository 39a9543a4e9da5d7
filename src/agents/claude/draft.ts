import type { Effect } from '../../model/responses.ts';
import { type NativeAnswer, PASSTHROUGH } from '../agent.ts';

/** An answer in the making, and the account of what it says. */
export interface Draft {
  readonly nativeEvent: string;
  /** Keys of the answer itself. */
  readonly top: Record<string, unknown>;
  /** Keys of its `hookSpecificOutput`. */
  readonly own: Record<string, unknown>;
  /** Exit code 2 with this text, instead of all keys. */
  stderr: string | null;
  /** The thing that was asked about will not happen. */
  refused: boolean;
  readonly told: Set<Effect>;
  readonly reasons: Map<Effect | 'native', string>;
}

export function newDraft(nativeEvent: string): Draft {
  return {
    nativeEvent,
    top: {},
    own: {},
    stderr: null,
    refused: false,
    told: new Set(),
    reasons: new Map(),
  };
}

/** The finished answer. Nothing to say is nothing on stdout: an empty object would be noise in the client's log. */
export function answerOf(draft: Draft): NativeAnswer {
  if (draft.stderr !== null) return { action: 'block_with_stderr', stderr: draft.stderr };
  const hasOwn = Object.keys(draft.own).length > 0;
  if (!hasOwn && Object.keys(draft.top).length === 0) return PASSTHROUGH;
  const stdout_json = hasOwn
    ? { ...draft.top, hookSpecificOutput: { hookEventName: draft.nativeEvent, ...draft.own } }
    : draft.top;
  return { action: 'json_output', stdout_json };
}
