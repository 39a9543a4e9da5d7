import * as v from 'valibot';
import type { NativeAnswer } from '../../../../src/model/native.ts';

/**
 * What Codex 0.166.0 can read as the answer of a hook, event by event. Its objects are closed: one key too many, or
 * null where a text may be left out, and the whole answer is void and the tool runs.
 */
const text = v.exactOptional(v.string());
const flag = v.exactOptional(v.boolean());
const anything = v.exactOptional(v.unknown());

const COMMON = { continue: flag, stopReason: text, suppressOutput: flag, systemMessage: text };
const BLOCK = { decision: v.exactOptional(v.literal('block')), reason: text };

/** The part that says for which event it is meant. */
function own<Entries extends v.ObjectEntries>(event: string, entries: Entries) {
  const part = v.strictObject({ hookEventName: v.literal(event), ...entries });
  return { hookSpecificOutput: v.exactOptional(part) };
}

const context = { additionalContext: text };

const SHAPES: Readonly<Record<string, v.GenericSchema>> = {
  SessionStart: v.strictObject({ ...COMMON, ...own('SessionStart', context) }),
  SubagentStart: v.strictObject({ ...COMMON, ...own('SubagentStart', context) }),
  UserPromptSubmit: v.strictObject({ ...COMMON, ...BLOCK, ...own('UserPromptSubmit', context) }),
  PreToolUse: v.strictObject({
    ...COMMON,
    decision: v.exactOptional(v.picklist(['approve', 'block'])),
    reason: text,
    ...own('PreToolUse', {
      ...context,
      permissionDecision: v.exactOptional(v.picklist(['allow', 'deny', 'ask'])),
      permissionDecisionReason: text,
      updatedInput: anything,
    }),
  }),
  PermissionRequest: v.strictObject({
    ...COMMON,
    ...own('PermissionRequest', {
      decision: v.exactOptional(
        v.strictObject({
          behavior: v.picklist(['allow', 'deny']),
          interrupt: flag,
          message: text,
          updatedInput: anything,
          updatedPermissions: anything,
        }),
      ),
    }),
  }),
  PostToolUse: v.strictObject({
    ...COMMON,
    ...BLOCK,
    ...own('PostToolUse', { ...context, updatedMCPToolOutput: anything }),
  }),
  PreCompact: v.strictObject(COMMON),
  PostCompact: v.strictObject(COMMON),
  Stop: v.strictObject({ ...COMMON, ...BLOCK }),
  SubagentStop: v.strictObject({ ...COMMON, ...BLOCK }),
  Interrupt: v.strictObject({ systemMessage: text }),
};

/** The events on which an answer has a shape at all. */
export const ANSWERED_EVENTS: readonly string[] = Object.keys(SHAPES);

/** What is wrong with the shape of an answer to an event; null for nothing. */
export function shapeObjection(event: string, answer: NativeAnswer): string | null {
  if (answer.action !== 'json_output') return null;
  const shape = SHAPES[event];
  if (!shape) return 'nothing may be printed on this event';
  const { issues } = v.safeParse(shape, answer.stdout_json);
  return issues ? `${v.getDotPath(issues[0]) ?? 'answer'}: ${issues[0].message}` : null;
}
