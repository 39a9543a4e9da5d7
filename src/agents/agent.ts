import type { EventType, HookEvent } from '../model/events.ts';
import type { FileAppend, NativeAnswer, NativeCall } from '../model/native.ts';
import type { Degradation, Effect, HookResponse } from '../model/responses.ts';
import type { Question, QuestionAnswers, ReadingTool, ToolCall, ToolResult } from '../model/tools.ts';
import type { CommonCall, Dialect } from './kit/dialect.ts';
import type { DispatcherDialect } from './kit/dispatcher.ts';
import type { AgentHistory } from './kit/history.ts';
import type { AgentImports, PermissionImport } from './setup/imports.ts';
import type { AgentLint } from './setup/lint.ts';
import type { AgentSetup } from './setup/setup.ts';

export interface Encoded {
  readonly answer: NativeAnswer;
  /** What of the response was not delivered, or not as asked. */
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
  /** Canonical names of the tools concerned; null for all of them. */
  readonly tools: readonly string[] | null;
  /** True when none of their calls is seen, rather than only some. */
  readonly all: boolean;
  /** What is not seen, and in which version. */
  readonly note: string;
}

interface AgentProcesses {
  /** Base names of its programs and scripts. */
  readonly programs: readonly string[];
  /** npm packages whose scripts are the agent. */
  readonly packages: readonly string[];
  /** Variables that it sets for what it runs. */
  readonly variables: readonly string[];
}

/** Patterns as rules write them; the value of an option is written with `=`. */
interface AgentEscapes {
  /** Programs that start it. */
  readonly programs: readonly string[];
  /** Commands that start it without its hooks, or switch them off. */
  readonly unhooked: readonly string[];
  /** Commands that start it with other settings, which may have no hooks. */
  readonly otherSettings: readonly string[];
  /** Commands that start it without permission prompts. */
  readonly unasked?: readonly string[];
  /** Variables that do either. */
  readonly variables: readonly string[];
}

/** A coding agent. Adding one adds a folder here and nothing else: `npm run new-agent <id>`. */
export interface Agent {
  /** The name in commands, rules and settings. */
  readonly id: string;
  /** The name that users see. */
  readonly label: string;
  /** The client version that the fixtures were captured from. */
  readonly testedVersion: string;
  /** What that version is of, where the client itself could not be run: versions of the client then say nothing. */
  readonly testedPart?: string;
  /** Variables that the client sets for hooks and that we need; the forwarder sends no others. */
  readonly envAllowList: readonly string[];
  /** Patterns of the files that switch this agent's hooks on and off: an agent may not edit them itself. */
  readonly settingsFiles: readonly string[];
  /** Patterns of what its model is told with every session or by name: instructions, skills, commands. */
  readonly instructions?: readonly string[];
  /** Patterns of the places outside of projects where it keeps files for its own work, such as plans. */
  readonly scratch?: readonly string[];
  /** How it could be started so that its hooks are not asked: an agent may not do that. */
  readonly escapes: AgentEscapes;
  /** Arguments of its shell tool that do not change how or where the command runs, such as a description of it. */
  readonly shellRemarks: readonly string[];
  /** Its tools that only look, by canonical name. Those that are not here are never taken for harmless. */
  readonly readingTools?: Readonly<Record<string, ReadingTool>>;
  /** How a process of this agent, or one that it started, is recognized: it may not decide for a person. */
  readonly processes: AgentProcesses;
  /** What this agent can do with each effect on each event. Docs, `matrix` and tests are made from it. */
  readonly supports: Supports;
  /** Tool calls that fire no hook, so that no rule ever sees them. */
  readonly blindSpots: readonly BlindSpot[];
  /** For an agent that also calls hooks in settings of other agents: is this a payload that only this agent sends? */
  sends?(payload: unknown): boolean;
  /** For an agent that sends large calls only in part: what of this one no rule can see. Such a call is not judged. */
  unread?(payload: unknown): string | null;
  /** A payload as an event. Throws only DecodeError, and unknown events pass. */
  decode(call: NativeCall): HookEvent;
  /**
   * A response as the client honors it on that event. Never throws, and prints nothing that the client would misread.
   * `env` is for side effects.
   */
  encode(event: HookEvent, response: HookResponse, env: Readonly<Record<string, string>>): Encoded;
  /**
   * The events at which something can still be kept from happening, in the agent's own words, each with the answer
   * that denies it: for forwarders that can reach neither the daemon nor the fallback.
   */
  readonly refusals: Readonly<Record<string, NativeAnswer>>;
  /** How a refusal that is an exit code reads to a client that calls its hooks over HTTP. */
  httpRefusal?(reason: string): Readonly<Record<string, unknown>>;
  /** How dispatcher scripts of other systems speak for it. */
  readonly dispatcher?: DispatcherDialect;
  /** The same call with other arguments: the command and the files follow the input. */
  withInput(tool: ToolCall, input: Readonly<Record<string, unknown>>): ToolCall;
  /** The payload that this agent would send before a call of a canonical tool, for `hookline try`. */
  toolPayload(request: ToolRequest): unknown;
  /** How long the client waits for our answer to this event before it goes on without one. */
  timeoutMs(event: HookEvent): number;
  /** How our entries get into the client's settings and out again, and what keeps them from working. */
  readonly setup: AgentSetup;
  /** For tools that ask the user questions: what they ask, and the arguments that answer it. */
  readonly questions?: {
    read(tool: ToolCall): readonly Question[];
    answer(tool: ToolCall, answers: QuestionAnswers): Readonly<Record<string, unknown>>;
  };
  /** How hooks that were written for this agent are called and read, whichever agent the event is from. */
  readonly dialect?: Dialect;
  /** Its own call in common terms, for hooks that were written for others. A dialect has this too. */
  describe?(tool: ToolCall | ToolResult): readonly CommonCall[];
  /** How hooks in this agent's settings are moved behind Hookline. */
  readonly imports?: AgentImports;
  /** How this agent's own permissions become rules. */
  readonly permissions?: PermissionImport;
  /** Common mistakes in the settings of this agent. */
  readonly lint?: AgentLint;
  /** How to read what this agent's calls did, and its own transcripts. */
  readonly history?: AgentHistory;
  /** For clients that can be talked to while they work; adds a command of the agent's name. */
  readonly bridge?: { readonly summary: string; load(): Promise<AgentBridge> };
}

/** Runs a client and stays connected to it, for what hooks do not report or cannot answer. */
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
  /** Aborted when the user wants to quit. */
  readonly signal: AbortSignal;
  /** Decides a call; the answer is already recorded. The signal aborts when the caller stops waiting. */
  call(call: NativeCall, signal?: AbortSignal): Promise<NativeAnswer>;
  newId(): string;
  /** For stdout. */
  print(text: string): void;
  /** For the user who watches, on stderr. */
  say(text: string): void;
}

/** A tool call that did not happen, for `hookline try`. */
export interface ToolRequest {
  readonly id: string;
  /** Canonical or native name. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

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
