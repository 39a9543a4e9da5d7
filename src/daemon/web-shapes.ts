import type { ShownApproval } from '../approvals/approval.ts';
import type { StandingGrant } from '../approvals/grant.ts';
import type { EventBrief } from '../history/event-brief.ts';
import type { EventDetail } from '../history/event-detail.ts';
import type { Row } from '../history/row.ts';
import type { SearchHit } from '../history/search.ts';
import type { EventType } from '../model/events.ts';
import type { Decision } from '../model/responses.ts';
import type { StoredSession } from '../store/queries.ts';

export interface SessionBrief extends StoredSession {
  /** What the user asked for first. */
  readonly intent: string | null;
}

/** What the page needs before it can show anything, in one answer. */
export interface Overview {
  readonly version: string;
  readonly startedAt: string;
  readonly events: number;
  readonly agents: readonly { readonly id: string; readonly label: string }[];
  readonly problems: readonly { readonly where: string; readonly message: string }[];
  readonly pending: readonly ShownApproval[];
  /** When protected rules apply again; null while they do. */
  readonly unlockedUntil: string | null;
  readonly sessions: readonly SessionBrief[];
  readonly recent: readonly EventBrief[];
}

export interface SessionView {
  readonly session: SessionBrief;
  readonly events: readonly EventBrief[];
  /** There were more events than are given; these are the newest. */
  readonly cut: boolean;
}

/** One event, with the row of the call that it is a part of. */
export interface EventView extends EventDetail {
  readonly story: Row;
}

/** How far an agent can be made to do what a rule wants. */
export interface RuleReach {
  readonly agent: string;
  readonly level: 'native' | 'emulated' | 'none';
  readonly note: string | null;
  readonly hits: number;
  /** Hits whose effect could not be delivered. */
  readonly degraded: number;
}

export interface RuleView {
  readonly id: string;
  readonly layer: string;
  readonly pack: string | null;
  readonly where: string;
  readonly decision: Decision;
  readonly effects: readonly string[];
  readonly reason: string | null;
  readonly observing: boolean;
  readonly hits: number;
  readonly lastAt: number | null;
  /** The newest event it had a part in. */
  readonly lastEvent: string | null;
  readonly reach: readonly RuleReach[];
}

export interface AgentView {
  readonly id: string;
  readonly label: string;
  readonly installed: boolean;
  readonly version: string | null;
  readonly testedVersion: string;
  readonly setUp: boolean;
  readonly findings: readonly {
    readonly level: string;
    readonly message: string;
    readonly fix: string | null;
  }[];
  readonly sessions: number;
  readonly lastAt: number | null;
  /** Calls in its own transcripts that no hook reported. */
  readonly gaps: number;
}

export interface LatencyPoint {
  readonly id: string;
  readonly at: number;
  readonly ms: number;
  readonly source: string;
  readonly type: EventType;
  /** A person was asked: most of the time was theirs. */
  readonly waited: boolean;
}

export interface Found {
  readonly hits: readonly (Pick<
    SearchHit,
    'source' | 'sessionId' | 'timestamp' | 'promptNumber' | 'snippet' | 'row' | 'eventId'
  > & {
    readonly kind: string;
    /** The call in which it was found, or the event. */
    readonly call: Row | null;
  })[];
}

export type GrantView = StandingGrant;
