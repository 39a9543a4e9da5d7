import { type Element, type Json, observed, received } from './element.ts';

/** An event of Claude Code becomes this. */
export const event = (hook_event_name: string, more: Json, expected: Json): (() => void) =>
  received('claude', { hook_event_name, ...more }, expected);

/** One row for each value that an element can have. */
export const values = (
  element: string,
  all: readonly string[],
  shown: (value: string) => () => void,
): readonly Element[] => all.map((value) => [`${element} ${value}`, shown(value)]);

/** The part of an answer that is the event's own. */
export const own = (fields: Json): { readonly body: Json } => ({ body: { hookSpecificOutput: fields } });

export const DENY = { decision: 'deny', reason: 'r' } as const;

/** A call that has ended. */
export const call = (tool_name: string, tool_input: Json, tool_response: unknown = ''): Json => ({
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input,
  tool_response,
  tool_use_id: 'u1',
});

/** This is kept of such a call. */
export const seen = (name: string, given: Json, response: unknown, expected: Json): (() => void) =>
  observed('claude', call(name, given, response), expected);
