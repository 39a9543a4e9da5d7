import type { HookEvent } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';
import type { McpTarget, ToolCall, ToolOutcome, ToolResult } from '../model/tools.ts';
import { isObject } from './loose-json.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** How a call went, in a form that every agent's own can be made from. */
export interface CommonResult {
  readonly output: string;
  readonly error: string | null;
  readonly outcome: ToolOutcome;
  readonly durationMs: number | null;
}

/** A tool call in words that all agents share: the canonical name, and the arguments that go with it. */
export interface CommonCall {
  readonly name: string;
  readonly input: Arguments;
  readonly useId: string | null;
  readonly mcp: McpTarget | null;
  readonly result: CommonResult | null;
  /** The agent's own arguments for a change of the common ones; null when it has no way to say that. */
  change(changes: Arguments): Arguments | null;
}

/** An event as an agent would have handed it to a hook of its own. */
export interface Presented {
  /** The agent's own name of the event. */
  readonly event: string;
  readonly payload: Arguments;
  /** Variables that the agent sets for its hooks. */
  readonly env: Readonly<Record<string, string>>;
  /** What the matcher of an entry is held against; null where the agent has none on this event. */
  readonly subject: string | null;
  /** The variable that names a file for the session's variables, where the agent gives one. */
  readonly envFile: string | null;
  /** The common arguments for a change of those in the payload; null when there is no such thing. */
  common(changes: Arguments): Arguments | null;
}

/** What a hook of somebody else's did. */
export interface HookRun {
  /** null when it was ended by a signal. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** What it left in the file for variables. */
  readonly envFile?: string;
}

/** What an agent would have made of that. */
export interface Verdict {
  /** Changed arguments are those of the payload that was presented. */
  readonly response: HookResponse;
  /** Why the agent would have called it a failure, in words; null when it would not. */
  readonly problem: string | null;
}

/** The contract that hooks written for one agent rely on, for events of any agent. */
export interface Dialect {
  /** What a bare number means as a timeout. */
  readonly timeoutUnit: 'ms' | 's';
  /** How long a hook may take that says nothing about it. */
  readonly defaultTimeoutMs: number;
  /** Every event of the agent, in its own spelling. */
  readonly events: readonly string[];
  /** The program and arguments that the agent runs a command line with. */
  shell(command: string, env: Readonly<Record<string, string | undefined>>): readonly [string, ...string[]];
  /** This agent's own call in common words: several, where one call does what others do in several. */
  describe(tool: ToolCall | ToolResult): readonly CommonCall[];
  /**
   * The event as this agent would present it, or null when it has nothing like it. `call` is one of the common calls
   * that a foreign event is about; for the agent's own events it is null, and the payload is the real one.
   */
  present(event: HookEvent, call: CommonCall | null): Presented | null;
  /** Would this agent run an entry with this matcher? */
  matches(presented: Presented, matcher: string | undefined): boolean;
  interpret(event: HookEvent, presented: Presented, run: HookRun): Verdict;
}

/** A response that is still being put together. */
export type ResponseDraft = { -readonly [K in keyof HookResponse]: HookResponse[K] };

/** How a call went, if it has happened; its agent knows where the text in a response is. */
export function commonResult(
  tool: ToolCall | ToolResult,
  outputText: (response: unknown) => string,
): CommonResult | null {
  if (!('outcome' in tool)) return null;
  const { response, error, outcome, durationMs } = tool;
  return { output: outputText(response), error, outcome, durationMs };
}

export const silent = (): Verdict => ({ response: { decision: 'none' }, problem: null });
export const failed = (problem: string): Verdict => ({ response: { decision: 'none' }, problem });

/** What is the same for every agent: a hook that did not come to an end of its own has no say. */
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
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * What changes when the whole of some arguments is put in the place of others. A key that is gone is there with no
 * value, so that merging the change takes it out.
 */
export function replacement(before: Arguments, after: Arguments): Arguments {
  const changes: Record<string, unknown> = {};
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes[key] = undefined;
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) changes[key] = value;
  }
  return changes;
}

/** The same arguments under other names; a name that the table does not have stays. */
export function renamed(input: Arguments, names: Readonly<Record<string, string>>): Arguments {
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [names[key] ?? key, value]));
}

export function inverse(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
}
