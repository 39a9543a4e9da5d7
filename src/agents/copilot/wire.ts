import { isObject, parseJson } from '../../model/json.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The two spellings of every event (1.0.102). The name that a hook is registered by decides how it is called: by the
 * first with Claude's tool names and, but for three events, snake case; by the second in camel case with its own names.
 */
const SPELLINGS: readonly (readonly [pascal: string, camel: string])[] = [
  ['SessionStart', 'sessionStart'],
  ['UserPromptSubmit', 'userPromptSubmitted'],
  ['PreToolUse', 'preToolUse'],
  ['PermissionRequest', 'permissionRequest'],
  ['PostToolUse', 'postToolUse'],
  ['PostToolUseFailure', 'postToolUseFailure'],
  ['Stop', 'agentStop'],
  ['SubagentStart', 'subagentStart'],
  ['SubagentStop', 'subagentStop'],
  ['PreCompact', 'preCompact'],
  ['Notification', 'notification'],
  ['ErrorOccurred', 'errorOccurred'],
  ['SessionEnd', 'sessionEnd'],
];

const CAMEL: ReadonlyMap<string, string> = new Map(SPELLINGS);

/** Its name in camel case; null for one that has none. */
export function camelName(pascal: string): string | null {
  return CAMEL.get(pascal) ?? null;
}

export const CAMEL_NAMES: readonly string[] = [...CAMEL.values()];

/** Fields that the two spellings call by unlike words. */
const RENAMED: readonly (readonly [snake: string, camel: string])[] = [
  ['tool_input', 'toolArgs'],
  ['tool_input', 'toolInput'],
  ['last_assistant_message', 'response'],
];

/** The words that stay as they are in both (1.0.102). */
const UNCHANGED: ReadonlySet<string> = new Set(['stop_hook_active']);

/** The argument that stands for a patch, which the client sends as a bare text instead of arguments. */
export const PATCH = 'patch';

/** Any payload of the client as one in snake case, with arguments that are an object. */
export function snakeFields(payload: Fields): Record<string, unknown> {
  const fields: Record<string, unknown> = renamedBy(payload, (key) => {
    const renamed = RENAMED.find(([, camel]) => camel === key)?.[0];
    return renamed ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  });
  if (typeof fields.timestamp === 'number') fields.timestamp = isoTime(fields.timestamp);
  if (typeof fields.tool_input === 'string') fields.tool_input = argumentsIn(fields.tool_input);
  if (isObject(fields.tool_result)) fields.tool_result = snakeFields(fields.tool_result);
  return inParent(fields);
}

/** Arguments may be JSON in a text; only what is none is a patch. */
function argumentsIn(text: string): Fields {
  const value = parseJson(text);
  return isObject(value) ? value : { [PATCH]: text };
}

/** A payload in snake case as the client sends it to a hook that is registered in camel case. */
export function camelFields(payload: Fields): Record<string, unknown> {
  const { hook_event_name: _, ...rest } = payload;
  const fields: Record<string, unknown> = renamedBy(rest, (key) => {
    const renamed = RENAMED.find(([snake]) => snake === key)?.[1];
    if (UNCHANGED.has(key)) return key;
    return renamed ?? key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  });
  if (typeof fields.timestamp === 'string') fields.timestamp = Date.parse(fields.timestamp);
  if (isObject(fields.toolResult)) fields.toolResult = camelFields(fields.toolResult);
  return fields;
}

function renamedBy(fields: Fields, name: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [name(key), value]));
}

/**
 * It also runs the hooks in a project's Claude settings. Only what no other client sends counts: before a tool its
 * payload has no mark of its own, and there it reads Claude's answers, too (1.0.102).
 */
export function sends(payload: unknown): boolean {
  if (!isObject(payload)) return false;
  const isDialog = payload.hookName === 'permissionRequest' && typeof payload.sessionId === 'string';
  return isDialog || (isObject(payload.tool_result) && Object.hasOwn(payload.tool_result, 'result_type'));
}

/** Arguments as the client has them: those of a patch are its text. */
export function nativeInput(input: Fields): unknown {
  const { [PATCH]: patch, ...others } = input;
  return typeof patch === 'string' && Object.keys(others).length === 0 ? patch : input;
}

/** Inside a subagent the session is the subagent's own (1.0.102); what it does belongs to the session that started it. */
function inParent(fields: Record<string, unknown>): Record<string, unknown> {
  const { session_id, agent_id, parent_agent_id: parent } = fields;
  const isInner = session_id === agent_id && typeof parent === 'string' && parent !== '';
  return isInner ? { ...fields, session_id: parent } : fields;
}

function isoTime(ms: number): string | null {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null;
}
