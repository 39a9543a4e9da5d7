import { isDeepStrictEqual } from 'node:util';
import { type HookEvent, isToolEvent } from '../../model/events.ts';
import { isObject, parseJson } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { McpTarget, ToolCall, ToolOutcome, ToolResult } from '../../model/tools.ts';
import type { Agent } from '../agent.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** How a call went, in a form that every agent's own can be made of. */
export interface CommonResult {
  readonly output: string;
  readonly error: string | null;
  readonly outcome: ToolOutcome;
  readonly durationMs: number | null;
}

/** A tool call in terms that all agents share: the canonical name and its arguments. */
export interface CommonCall {
  readonly name: string;
  readonly input: Arguments;
  readonly useId: string | null;
  readonly mcp: McpTarget | null;
  readonly result: CommonResult | null;
  /** The agent's own arguments for a change of the common ones; null when it has none. */
  change(changes: Arguments): Arguments | null;
}

/** An event as an agent would have sent it to a hook of its own. */
export interface Presented {
  /** The agent's own name of the event. */
  readonly event: string;
  readonly payload: Arguments;
  /** Variables that the agent sets for its hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** What the matcher of an entry is compared with; null where the agent has none on this event. */
  readonly subject: string | null;
  /** The variable that names a file for the session's variables, where the agent gives one. */
  readonly envFile: string | null;
  /** The common arguments for a change of those in the payload; null when there is no such thing. */
  common(changes: Arguments): Arguments | null;
}

/** The result of a hook that is not Hookline's. */
export interface HookRun {
  /** null when it was ended by a signal. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** What it left in the file for variables. */
  readonly envFile?: string;
}

/** How an agent would have read that. */
export interface Verdict {
  /** Changed arguments are those of the payload that was presented. */
  readonly response: HookResponse;
  /** Why the agent would have called it a failure; null when it would not. */
  readonly problem: string | null;
}

/** The contract that hooks written for one agent rely on, for events of any agent. */
export interface Dialect {
  /** What a bare number means as a timeout. */
  readonly timeoutUnit: 'ms' | 's';
  /** How long a hook may take that has no timeout of its own. */
  readonly defaultTimeoutMs: number;
  /** Every event of the agent, in its own spelling. */
  readonly events: readonly string[];
  /** The program and arguments that the agent runs a command line with. */
  shell(command: string, env: Readonly<Record<string, string | undefined>>): readonly [string, ...string[]];
  /** This agent's own call in common terms: several, where one call does what others do in several. */
  describe(tool: ToolCall | ToolResult): readonly CommonCall[];
  /**
   * The event as this agent would present it, or null when it has nothing like it. `call` is one of the common calls
   * that a foreign event is about; for the agent's own events it is null, and the payload is the real one. `wanted` is
   * the name that a hook has for its event, for agents whose payloads depend on it.
   */
  present(event: HookEvent, call: CommonCall | null, wanted?: string): Presented | null;
  /** Would this agent run an entry with this matcher? */
  matches(presented: Presented, matcher: string | undefined): boolean;
  interpret(event: HookEvent, presented: Presented, run: HookRun): Verdict;
}

/** A response while it is built. */
export type ResponseDraft = { -readonly [K in keyof HookResponse]: HookResponse[K] };

/** How a call went, if it has happened; `outputText` finds the text in the client's own response. */
function commonResult(
  tool: ToolCall | ToolResult,
  outputText: (response: unknown) => string,
): CommonResult | null {
  if (!('outcome' in tool)) return null;
  const { response, error, outcome, durationMs } = tool;
  return { output: outputText(response), error, outcome, durationMs };
}

/** A call in common terms; `words` are the client's own names of arguments, by the common ones. */
export function commonCall(
  tool: ToolCall | ToolResult,
  outputText: (response: unknown) => string,
  words: Readonly<Record<string, string>> = {},
): CommonCall {
  return {
    name: tool.name,
    input: renamed(tool.input, inverse(words)),
    useId: tool.useId,
    mcp: tool.mcp,
    result: commonResult(tool, outputText),
    change: (changes) => renamed(changes, words),
  };
}

/** A call of any agent in common terms: of one that says nothing about it, its own arguments as they are. */
export function commonCalls(
  agent: Pick<Agent, 'dialect' | 'describe' | 'history'> | undefined,
  tool: ToolCall | ToolResult,
): readonly CommonCall[] {
  const describe = agent?.dialect?.describe ?? agent?.describe;
  if (describe) return describe(tool);
  return [commonCall(tool, () => ('outcome' in tool && agent?.history?.output(tool)) || '')];
}

/** The fields of one event, in the client's own names. */
export interface HookFields {
  readonly hook_event_name: string;
  readonly [field: string]: unknown;
}

/** What differs between the dialects of clients that name an event by `hook_event_name`. */
interface HookDialect
  extends Pick<Dialect, 'timeoutUnit' | 'defaultTimeoutMs' | 'events' | 'shell' | 'describe' | 'interpret'> {
  readonly id: string;
  /** What this client would have sent for another agent's event; null where it has no such event. */
  fields(event: HookEvent): HookFields | null;
  /** The same for events about a tool call. */
  toolFields(event: HookEvent, call: CommonCall): HookFields | null;
  /** The whole payload, with what every event has. */
  payload(event: HookEvent, fields: HookFields): Record<string, unknown>;
  /** The field of the payload that a matcher is compared with, by event. */
  readonly subjects: Readonly<Record<string, string>>;
  /** Variables that the client sets for its hooks. */
  env?(event: HookEvent): Readonly<Record<string, string>>;
  /** The variable that names a file for the session's variables, on the events that have one. */
  envFile?(nativeEvent: string): string | null;
  /** The common arguments for a change of those in the payload, where they differ. */
  common?(
    changes: Arguments,
    payload: Readonly<Record<string, unknown>>,
    call: CommonCall | null,
  ): Arguments | null;
  /** Does a matcher that is neither empty nor `*` match? */
  matches(matcher: string, subject: string, nativeEvent: string): boolean;
}

export function hookDialect(client: HookDialect): Dialect {
  const { timeoutUnit, defaultTimeoutMs, events, shell, describe, interpret, subjects } = client;
  return {
    timeoutUnit,
    defaultTimeoutMs,
    events,
    shell,
    describe,
    interpret,
    present(event, call) {
      const isOwn = event.source === client.id;
      const payload = isOwn ? ownPayload(event) : foreignPayload(client, event, call);
      if (payload === null) return null;
      const name = String(payload.hook_event_name ?? event.nativeEvent);
      const subject = Object.hasOwn(subjects, name) ? payload[subjects[name] ?? ''] : null;
      return {
        event: name,
        payload,
        env: client.env?.(event) ?? {},
        subject: typeof subject === 'string' ? subject : null,
        envFile: client.envFile?.(name) ?? null,
        common: (changes) => (client.common ? client.common(changes, payload, call) : changes),
      };
    },
    matches: ({ event, subject }, matcher) =>
      matcher === undefined ||
      matcher === '' ||
      matcher === '*' ||
      subject === null ||
      client.matches(matcher, subject, event),
  };
}

/** An agent's own payload as it came, but with the arguments that earlier hooks have changed. */
function ownPayload(event: HookEvent): Record<string, unknown> | null {
  if (!isObject(event.native)) return null;
  if (!('tool' in event)) return event.native;
  const { native } = event;
  const { input } = event.tool;
  // Some clients send arguments among the other fields, or as JSON in a text.
  if (!('tool_input' in native))
    return { ...native, ...Object.fromEntries(Object.entries(input).filter(([name]) => name in native)) };
  const { tool_input: sent } = native;
  if (typeof sent !== 'string') return { ...native, tool_input: input };
  return isDeepStrictEqual(parseJson(sent), input)
    ? native
    : { ...native, tool_input: JSON.stringify(input) };
}

function foreignPayload(
  client: HookDialect,
  event: HookEvent,
  call: CommonCall | null,
): Record<string, unknown> | null {
  const fields = isToolEvent(event) ? call && client.toolFields(event, call) : client.fields(event);
  return fields && client.payload(event, fields);
}

/** A matcher as a pattern; null for one that cannot be read. */
export function patternOf(matcher: string): RegExp | null {
  try {
    return new RegExp(matcher);
  } catch {
    return null;
  }
}

/** Whether a pattern is found in one of the names; one that cannot be read is found in none. */
export function isFoundIn(matcher: string, names: readonly string[]): boolean {
  const pattern = patternOf(matcher);
  return pattern !== null && names.some((name) => pattern.test(name));
}

export const answered = (response: HookResponse): Verdict => ({ response, problem: null });
export const silent = (): Verdict => answered({ decision: 'none' });
export const failed = (problem: string): Verdict => ({ response: { decision: 'none' }, problem });

/** A hook that did not end by itself decides nothing, on every agent. */
export function unfinished(run: HookRun): Verdict | null {
  if (run.timedOut) return failed('it took too long');
  if (run.exit === null) return failed('it was ended by a signal');
  return null;
}

export function describeExit(exit: number, stderr: string): string {
  const [line = ''] = stderr.trim().split('\n').slice(-1);
  return `it ended with code ${exit}${line === '' ? '' : `: ${line.slice(0, 300)}`}`;
}

export function parseRecord(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Adds what an input changes of the one that the hook was shown, be it whole or a part; a call that is denied stays as it is. */
export function addChanges(presented: Presented, input: unknown, draft: ResponseDraft): void {
  if (!isObject(input) || draft.decision === 'deny') return;
  const before = presented.payload.tool_input;
  const changes = changesOf(isObject(before) ? before : {}, input);
  if (Object.keys(changes).length > 0) draft.modifyArgs = changes;
}

/** What differs. A key that is not given stays as it was: hooks name only what they change. */
function changesOf(before: Arguments, after: Arguments): Arguments {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) changes[key] = value;
  }
  return changes;
}

/** The same arguments under other names; a name that the table does not have stays. */
export function renamed(input: Arguments, names: Readonly<Record<string, string>>): Arguments {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [entryOf(names, key) ?? key, value]));
}

export function inverse(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
}
