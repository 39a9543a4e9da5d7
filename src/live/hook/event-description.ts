import type { EventBase, EventOf, EventType, ToolEvent } from '../../model/events.ts';
import type { ToolOutcome } from '../../model/tools.ts';

/** What every description may have. */
interface Whose {
  /** Which agent's event it is; the first one that Hookline knows unless given. */
  readonly agent?: string;
  /** Where the session is; this folder unless given. */
  readonly cwd?: string;
}

/** A tool call, before it happens unless `type` says otherwise. */
export interface DescribedCall extends Whose {
  readonly type?: ToolEvent['type'];
  /** Canonical name (Bash, Write, Edit, …), or the agent's own. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What came of it, for `after_tool`. */
  readonly response?: unknown;
  readonly error?: string | null;
  readonly outcome?: ToolOutcome;
  /** For `permission_denied`. */
  readonly reason?: string;
}

/** The fields that only this type of event has. */
export type FieldsOf<T extends EventType> = Omit<EventOf<T>, keyof EventBase | 'type'>;

/** Events that are not about one tool call. */
export type OtherType = Exclude<EventType, ToolEvent['type']>;

/** Any other event; fields that are left out have a usual value. */
export type DescribedOther = Whose &
  (
    | { [T in OtherType]: { readonly type: T } & Partial<FieldsOf<T>> }[OtherType]
    | ({ readonly type: 'turn_start' } & Partial<FieldsOf<'before_agent'>>)
    | ({ readonly type: 'turn_end' } & Partial<FieldsOf<'stop'>>)
  );

/** A payload as the client sent it, such as one that `hookline record` wrote. */
export interface DescribedPayload extends Whose {
  readonly agent: string;
  readonly payload: unknown;
  /** The client's name of the event, where its payloads do not say. */
  readonly event?: string;
}

/** An event, in short. */
export type DescribedEvent = DescribedCall | DescribedOther | DescribedPayload;
