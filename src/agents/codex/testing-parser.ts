import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NativeAnswer } from '../agent.ts';
import { isObject } from '../loose-json.ts';
import { snakeCase } from './names.ts';

/** The client's own schemas, which are not part of the project; null on machines that do not have them. */
export const SCHEMAS: string | null = existing(
  fileURLToPath(new URL('../../../../shared/schemas/codex', import.meta.url)),
);

function existing(folder: string): string | null {
  return existsSync(folder) ? folder : null;
}

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

/** What the client's own schema for answers to an event has against one; null for nothing. */
export function schemaObjection(event: string, answer: NativeAnswer): string | null {
  if (answer.action !== 'json_output' || SCHEMAS === null) return null;
  const file = join(SCHEMAS, `${snakeCase(event).replaceAll('_', '-')}.command.output.schema.json`);
  if (!existsSync(file)) return 'no schema, so no answer';
  const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return mismatch(answer.stdout_json, schema, schema, 'answer');
}

/** The few words of JSON Schema that the client's files use; one that is not known is an objection of its own. */
function mismatch(value: unknown, schema: unknown, root: unknown, at: string): string | null {
  if (!isObject(schema)) return `${at}: the schema is no object`;
  for (const [word, arg] of Object.entries(schema)) {
    const problem = wordMismatch(word, arg, value, schema, root, at);
    if (problem !== null) return problem;
  }
  return null;
}

function wordMismatch(
  word: string,
  arg: unknown,
  value: unknown,
  schema: Fields,
  root: unknown,
  at: string,
): string | null {
  switch (word) {
    case '$ref':
      return mismatch(value, referred(root, String(arg)), root, at);
    case 'allOf':
      for (const part of Array.isArray(arg) ? arg : []) {
        const problem = mismatch(value, part, root, at);
        if (problem !== null) return problem;
      }
      return null;
    case 'type':
      return arg === (Array.isArray(value) ? 'array' : typeof value) ? null : `${at} is no ${String(arg)}`;
    case 'const':
      return value === arg ? null : `${at} is not ${String(arg)}`;
    case 'enum':
      return Array.isArray(arg) && arg.includes(value) ? null : `${at} is none of the values`;
    case 'required': {
      const missing = (Array.isArray(arg) ? arg : []).find(
        (key) => !isObject(value) || !(String(key) in value),
      );
      return missing === undefined ? null : `${at} has no ${String(missing)}`;
    }
    case 'properties':
      for (const [key, item] of isObject(value) ? Object.entries(value) : []) {
        const known = isObject(arg) && Object.hasOwn(arg, key);
        const problem = known ? mismatch(item, arg[key], root, `${at}.${key}`) : null;
        if (problem !== null) return problem;
      }
      return null;
    case 'additionalProperties': {
      const known = isObject(schema.properties) ? Object.keys(schema.properties) : [];
      const more = isObject(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
      return arg === false && more.length > 0 ? `${at} has ${more.join(', ')}` : null;
    }
    case '$schema':
    case 'title':
    case 'description':
    case 'default':
    case 'definitions':
      return null;
    default:
      return `${at}: the schema says ${word}, which this checker does not know`;
  }
}

function referred(root: unknown, reference: string): unknown {
  let value = root;
  for (const step of reference.replace(/^#\//, '').split('/'))
    value = isObject(value) ? value[step] : undefined;
  return value;
}
