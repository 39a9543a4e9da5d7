import { isObject } from '../../../../src/model/json.ts';
import type { NativeAnswer } from '../../../../src/model/native.ts';

// Whatever these print is ignored or an error.
const DEAF = ['PreModelRequest', 'PostModelRequest', 'SessionEnd'];

/**
 * What the parser of 0.166.0 has against an answer, in words; null for nothing. This is a second account of its rules,
 * written from what it was seen to do and not from what the encoder does. Whatever it objects to fails open.
 */
export function objection(event: string, answer: NativeAnswer): string | null {
  if (answer.action === 'passthrough') return null;
  if (DEAF.includes(event)) return 'nothing is read on this event';
  if (answer.action === 'block_with_stderr') return empty(answer.stderr) ? 'exit 2 without a text' : null;
  const text = JSON.stringify(answer.stdout_json);
  // How the client's JSON parser sees it: half a surrogate pair, or a depth of more than 127, ends it.
  if (!wellFormed(answer.stdout_json)) return 'half a surrogate pair';
  if (depth(answer.stdout_json) > 127) return 'too deep';
  const top: unknown = JSON.parse(text);
  if (!isObject(top)) return 'no object';
  const own = top.hookSpecificOutput;
  if (own !== undefined && (!isObject(own) || own.hookEventName !== event)) return 'another event';
  if (top.suppressOutput !== undefined) return 'suppressOutput';
  if (top.decision === 'block' && empty(top.reason)) return 'a block without a reason';
  if (top.decision === undefined && top.reason !== undefined) return 'a reason without a decision';
  return OBJECTIONS[event]?.(top, isObject(own) ? own : {}) ?? null;
}

type Fields = Readonly<Record<string, unknown>>;

const OBJECTIONS: Readonly<Record<string, (top: Fields, own: Fields) => string | null>> = {
  PreToolUse: (top, own) => {
    if (top.continue !== undefined || top.stopReason !== undefined) return 'continue on a tool call';
    if (top.decision === 'approve' || own.permissionDecision === 'ask') return 'approve or ask';
    if (own.permissionDecision === 'deny' && empty(own.permissionDecisionReason))
      return 'deny without a reason';
    if (own.permissionDecision === undefined && own.permissionDecisionReason !== undefined)
      return 'a lone reason';
    if ((own.permissionDecision === 'allow') !== (own.updatedInput !== undefined)) return 'half a rewrite';
    return null;
  },
  PermissionRequest: (top, own) => {
    if (top.continue !== undefined || top.stopReason !== undefined) return 'continue on a request';
    const decision = isObject(own.decision) ? own.decision : {};
    const more = Object.keys(decision).filter((key) => key !== 'behavior' && key !== 'message');
    return more.length > 0 ? `${more.join(', ')} in a decision` : null;
  },
  PostToolUse: (_, own) => (own.updatedMCPToolOutput === undefined ? null : 'updatedMCPToolOutput'),
  SessionStart: (_, own) => (own.hookEventName === undefined ? 'no hookSpecificOutput' : null),
};

/** As Rust trims: the next-line character is a space, the byte order mark is none. */
function empty(text: unknown): boolean {
  return typeof text !== 'string' || /^[\s\u0085]*$/.test(text.replaceAll('\ufeff', 'x'));
}

function wellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && wellFormed(item));
}

function depth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
