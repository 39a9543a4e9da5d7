import type { EventType } from './events.ts';
import type { Degradation, HookResponse } from './responses.ts';

/** One hook call as an agent made it. */
export interface NativeCall {
  /** Our unique id, which becomes the event's id. */
  readonly id: string;
  /** In ms since the epoch. */
  readonly receivedAt: number;
  /** The event named by the caller (an argument in the settings); the payload's own name takes precedence. */
  readonly event: string | null;
  /** The agent's JSON, unchanged; the readable part of it if there was a problem. A string is not JSON. */
  readonly payload: unknown;
  /** Variables that agents set for hooks, from an allow-list. */
  readonly env: Readonly<Record<string, string>>;
}

/** A call and the agent that made it. */
export interface Call extends NativeCall {
  readonly agent: string;
  /** Why the payload could not be read in full; it is then only a part of what the agent sent. */
  readonly problem?: string | null;
  /** How long the caller waits, if less than the agent. */
  readonly answerWithinMs?: number;
  /** Tells the caller that the answer takes this long, if there is a way. */
  readonly hold?: (ms: number) => void;
  /** Tells the caller that the daemon can't say more for this long, if there is a way. */
  readonly busy?: (ms: number) => void;
  /** Signals that the caller hung up, if that is visible. */
  readonly gone?: () => AbortSignal;
  /** Parts of a response that the caller doesn't pass on to the agent. */
  readonly lost?: (type: EventType, response: HookResponse) => readonly Degradation[];
}

/** What the forwarder does: nothing, exit 2 with stderr, or print one JSON object. */
export type NativeAnswer =
  | { readonly action: 'passthrough' }
  | { readonly action: 'block_with_stderr'; readonly stderr: string }
  | { readonly action: 'json_output'; readonly stdout_json: Readonly<Record<string, unknown>> };

/** Text to append to a file that the agent named for this purpose, before the answer leaves. */
export interface FileAppend {
  readonly path: string;
  readonly text: string;
}

export const PASSTHROUGH: NativeAnswer = Object.freeze({ action: 'passthrough' });
