import type { EventType, HookEvent } from '../model/events.ts';
import type { Degradation, Effect, HookResponse } from '../model/responses.ts';
import type { Question, QuestionAnswers, ToolCall } from '../model/tools.ts';
import type { Dialect } from './dialect.ts';
import type { AgentHistory } from './history.ts';
import type { AgentImports } from './imports.ts';
import type { AgentLint } from './lint.ts';
import type { PermissionImport } from './permissions.ts';
import type { AgentSetup } from './setup.ts';

/** One call of a hook, as an agent made it. */
export interface NativeCall {
  /** Ours, unique; becomes the id of the event. */
  readonly id: string;
  /** In ms since the epoch. */
  readonly receivedAt: number;
  /** The event named by whoever called us (an argument in the settings); the payload's own name wins. */
  readonly event: string | null;
  /** The agent's JSON, untouched. A string is text that was not JSON. */
  readonly payload: unknown;
  /** Variables that agents set for hooks, from an allow-list. */
  readonly env: Readonly<Record<string, string>>;
}

/** What the forwarder is to do: nothing, exit 2 with stderr, or print one JSON object. Seed 003's three actions. */
export type NativeAnswer =
  | { readonly action: 'passthrough' }
  | { readonly action: 'block_with_stderr'; readonly stderr: string }
  | { readonly action: 'json_output'; readonly stdout_json: Readonly<Record<string, unknown>> };

/** Text to append to a file that the agent named for this purpose, before the answer leaves. */
export interface FileAppend {
  readonly path: string;
  readonly text: string;
}

export interface Encoded {
  readonly answer: NativeAnswer;
  /** What of the response the agent was not told, or not in the way that was asked. */
  readonly degraded: readonly Degradation[];
  readonly appends: readonly FileAppend[];
}

export interface Support {
  readonly level: 'native' | 'emulated' | 'none';
  /** The surprise, if there is one. Required for everything that is not `native`. */
  readonly note?: string;
}

export type Supports = { readonly [T in EventType]?: { readonly [E in Effect]?: Support } };

export interface BlindSpot {
  /** Canonical names of the tools that it is about; null for all of them. */
  readonly tools: readonly string[] | null;
  /** None of their calls is seen, rather than only some. */
  readonly all: boolean;
  /** What is not seen, and in which version. */
  readonly note: string;
}

/** A coding agent. Adding one adds a folder here and nothing else. */
export interface Agent {
  readonly id: string;
  readonly label: string;
  /** The client version that the fixtures were captured from. */
  readonly testedVersion: string;
  /** Variables this agent sets for hooks that we need; the forwarder sends no others. */
  readonly envAllowList: readonly string[];
  /** Patterns of the files that switch this agent's hooks on and off: an agent may not edit them itself. */
  readonly settingsFiles: readonly string[];
  /** What this agent can do with each effect on each event. Docs, `matrix` and tests are made from it. */
  readonly supports: Supports;
  /** Tool calls that fire no hook, so that no rule ever sees them. */
  readonly blindSpots: readonly BlindSpot[];
  /** Throws only DecodeError. */
  decode(call: NativeCall): HookEvent;
  /** Total: never throws, and says nothing that the client would misread. `call` has the env for side effects. */
  encode(event: HookEvent, response: HookResponse, env: Readonly<Record<string, string>>): Encoded;
  /** The same call with other arguments: the command and the files follow the input. */
  retool(tool: ToolCall, input: Readonly<Record<string, unknown>>): ToolCall;
  /** The payload this agent would send before a call of a canonical tool: what `hookline try` puts in. */
  toolPayload(request: ToolRequest): unknown;
  /** How long the client waits for our answer to this event before it goes on without one. */
  patienceMs(event: HookEvent): number;
  /** For tools that put questions to a person: what they ask, and the arguments that answer it. */
  readonly questions?: {
    read(tool: ToolCall): readonly Question[];
    answer(tool: ToolCall, answers: QuestionAnswers): Readonly<Record<string, unknown>>;
  };
  readonly setup: AgentSetup;
  /** How hooks that were written for this agent are called and read, whichever agent the event is from. */
  readonly dialect?: Dialect;
  /** How hooks that people have in this agent's settings are moved behind Hookline. */
  readonly imports?: AgentImports;
  /** What people get wrong about this agent. */
  readonly lint?: AgentLint;
  /** How this agent's own permissions become rules. */
  readonly permissions?: PermissionImport;
  /** How to read what this agent's calls did, and what it wrote down itself. */
  readonly history?: AgentHistory;
  /** For clients that can be spoken to while they work; gives them a command of the agent's name. */
  readonly bridge?: { readonly summary: string; load(): Promise<AgentBridge> };
}

/** Runs a client and stays connected to it, for what hooks do not tell or cannot answer. */
export interface AgentBridge {
  /** What comes after `hookline <agent>`, as the help shows it: forms of the command and what they do. */
  readonly forms: readonly (readonly [words: string, meaning: string])[];
  readonly options: readonly (readonly [option: string, meaning: string])[];
  readonly examples: readonly (readonly [words: string, meaning: string])[];
  /** The exit code. Throws AGENT_MISSING, AGENT_UNREACHABLE, USAGE. */
  run(args: readonly string[], host: BridgeHost): Promise<number>;
}

/** What a bridge is given. */
export interface BridgeHost {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
  /** Judges a call; what it returns has been recorded. The signal says that nobody waits for the answer any more. */
  call(call: NativeCall, signal?: AbortSignal): Promise<NativeAnswer>;
  newId(): string;
  /** For stdout. */
  print(text: string): void;
  /** For the person who watches. */
  say(text: string): void;
}

/** A tool call to imagine. */
export interface ToolRequest {
  readonly id: string;
  /** Canonical or native name. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

export const PASSTHROUGH: NativeAnswer = Object.freeze({ action: 'passthrough' });

export const native: Support = { level: 'native' };
export const emulated = (note: string): Support => ({ level: 'emulated', note });
export const impossible = (note: string): Support => ({ level: 'none', note });

/** How an agent treats an effect; an effect its table does not name is one it does not have. */
export function supportOf(
  agent: Pick<Agent, 'supports' | 'label'>,
  type: EventType,
  effect: Effect,
): Support {
  return (
    agent.supports[type]?.[effect] ?? {
      level: 'none',
      note: `${agent.label} has no way to express "${effect}" on ${type}.`,
    }
  );
}
