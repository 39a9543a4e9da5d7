import type { Effect } from '../../model/responses.ts';
import { type NativeAnswer, PASSTHROUGH } from '../agent.ts';
import { isObject } from '../loose-json.ts';
import type { Form } from './forms.ts';

/** An answer in the making, and the account of what it says. */
export interface Draft {
  readonly nativeEvent: string;
  readonly form: Form;
  /** Keys of the answer itself. */
  readonly top: Record<string, unknown>;
  /** Keys of its `hookSpecificOutput`. */
  readonly own: Record<string, unknown>;
  /** The thing that was asked about will not happen. */
  refused: boolean;
  readonly told: Set<Effect>;
  readonly reasons: Map<Effect | 'native', string>;
}

export function newDraft(nativeEvent: string, form: Form): Draft {
  return { nativeEvent, form, top: {}, own: {}, refused: false, told: new Set(), reasons: new Map() };
}

/** The finished answer. Nothing to say is nothing on stdout: an empty object is an error on some events. */
export function answerOf({ nativeEvent, form, top, own }: Draft): NativeAnswer {
  const hasOwn = Object.keys(own).length > 0;
  if (!hasOwn && Object.keys(top).length === 0) return PASSTHROUGH;
  const stdout_json =
    hasOwn || form.needsOwn ? { ...top, hookSpecificOutput: { hookEventName: nativeEvent, ...own } } : top;
  return { action: 'json_output', stdout_json };
}

/** "This may not happen", in the form of the event. */
export function refuse(draft: Draft, text: string): void {
  const why = readable(text, 'Refused by Hookline.');
  switch (draft.form.refusal) {
    case 'permission':
      draft.own.permissionDecision = 'deny';
      draft.own.permissionDecisionReason = why;
      break;
    case 'dialog':
      draft.own.decision = { behavior: 'deny', message: why };
      break;
    case 'block':
      draft.top.decision = 'block';
      draft.top.reason = why;
      break;
    case 'stop':
      draft.top.continue = false;
      draft.top.stopReason = why;
      break;
    case undefined:
      return;
  }
  draft.refused = true;
}

/**
 * A text that the client's parser takes. One without a visible character counts as none, and a refusal without a
 * reason is void; half a surrogate pair makes the whole answer unreadable (both 0.166.0).
 */
export function readable(text: string, otherwise: string): string {
  // JavaScript does not count the next-line character as a space, Rust does.
  return /[^\s\u0085]/.test(text) ? text.toWellFormed() : otherwise;
}

/** Arguments that the client's parser takes, or null: it gives up beyond 128 levels. */
export function readableArguments(input: Readonly<Record<string, unknown>>): unknown {
  const wellFormed = (value: unknown, depth: number): unknown => {
    if (depth > 100) throw new RangeError('too deep');
    if (typeof value === 'string') return value.toWellFormed();
    if (Array.isArray(value)) return value.map((item) => wellFormed(item, depth + 1));
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, item]) => [key.toWellFormed(), wellFormed(item, depth + 1)]),
    );
  };
  try {
    return wellFormed(input, 0);
  } catch {
    return null;
  }
}
