import type { EventGroups, EventOf, EventType } from '../model/events.ts';
import type { HookResponse } from '../model/responses.ts';

export type EventName = EventType | keyof EventGroups;
type TypesOf<N extends EventName> = N extends keyof EventGroups
  ? EventGroups[N]
  : N extends EventType
    ? N
    : never;

/** The arguments of canonical tools. Agents have additional ones, and may omit optional ones. */
export interface ToolInputs {
  Bash: { command: string; description?: string };
  Read: { file_path: string };
  Write: { file_path: string; content: string };
  Edit: { file_path: string; old_string: string; new_string: string };
  Glob: { pattern: string };
  Grep: { pattern: string };
  WebFetch: { url?: string; prompt?: string };
  WebSearch: { query: string };
}

type InputOf<T extends string> = T extends keyof ToolInputs
  ? Readonly<Partial<ToolInputs[T]>> & Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>;

/** The event of a hook for one tool, whose name and arguments are known. */
type Narrowed<E, T extends string> = E extends { readonly tool: infer C }
  ? Omit<E, 'tool'> & {
      readonly tool: Omit<C, 'name' | 'input' | 'command'> & {
        readonly name: T;
        readonly input: InputOf<T>;
        readonly command: T extends 'Bash' ? string : string | null;
      };
    }
  : E;

/** The session that an event belongs to. */
export interface HookSession {
  readonly id: string;
  /** The agent of the session. */
  readonly agent: string;
  readonly cwd: string | null;
  readonly project: string | null;
  /** Kept between calls of this hook in this session, while the daemon runs. Must survive a structured clone. */
  state: Record<string, unknown>;
}

export interface HookContext {
  readonly session: HookSession;
  /** Writes to Hookline's log, under the name of the hook. */
  log(...parts: readonly unknown[]): void;
  /** Aborted when the time is up; whatever still runs then is ended. */
  readonly signal: AbortSignal;
}

/** What a hook may return; nothing means no decision. */
export type HookAnswer = HookResponse | null | undefined;

export interface HookDefinition<N extends EventName = EventName, T extends string = string> {
  /** Which events: one, a group such as `turn_end`, or a list of them. */
  readonly on: N | readonly N[];
  /** Only for these tools, by canonical or native name. */
  readonly tool?: T | readonly T[];
  /** Only for these agents. */
  readonly agent?: string | readonly string[];
  /** Display name; defaults to the file name. */
  readonly name?: string;
  /** Time limit; defaults to 5 seconds. */
  readonly timeoutMs?: number;
  run(
    event: string extends T ? EventOf<TypesOf<N>> : Narrowed<EventOf<TypesOf<N>>, T>,
    context: HookContext,
  ): HookAnswer | Promise<HookAnswer>;
}

/**
 * A hook, typed by the events and tools that it is for.
 * @example
 * import { defineHook, deny } from 'hookline';
 *
 * export default defineHook({
 *   on: 'before_tool',
 *   tool: 'Bash',
 *   run(event) {
 *     if (event.tool.command.includes('terraform destroy')) return deny('Infrastructure is torn down by hand.');
 *   },
 * });
 */
export function defineHook<const N extends EventName, const T extends string = string>(
  definition: HookDefinition<N, T>,
): HookDefinition<N, T> {
  return definition;
}
