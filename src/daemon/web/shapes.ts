import type { ShownApproval } from '../../approvals/approval.ts';
import type { StandingGrant } from '../../approvals/grant.ts';
import type { AnswerLimits } from '../../approvals/limits.ts';
import type { EventBrief } from '../../history/calls/event-brief.ts';
import type { EventDetail } from '../../history/calls/event-detail.ts';
import type { Row } from '../../history/calls/row.ts';
import type { SearchHit } from '../../history/search/search.ts';
import type { SessionCard, SessionSum } from '../../history/sessions/cards.ts';
import type { Alert } from '../../model/alert.ts';
import type { ChangeLine } from '../../model/changes.ts';
import type { AwayState } from '../../model/people/away.ts';
import type { Decision } from '../../model/responses.ts';
import type { CheckedDraft, DraftProblem } from '../../rules/review/draft.ts';
import type { StoredSession } from '../../store/read/queries.ts';

/** What of the settings and rules waits for a person. */
export interface PendingView {
  /** True if what was confirmed can't be read any more. */
  readonly lost: boolean;
  readonly changes: readonly {
    readonly file: string;
    /** How it is weaker, as in `packs.secrets: on → off`. */
    readonly lines: readonly string[];
    /** To be sent back, so that a person agrees only to what they have seen. */
    readonly mark: string;
    readonly diff: readonly ChangeLine[];
  }[];
}

export interface SessionBrief extends StoredSession {
  /** What the user asked for first. */
  readonly intent: string | null;
  /** The branch that is checked out where it works; null once the session has ended. */
  readonly branch: string | null;
}

/** A session as a row of the list of them. */
export interface SessionRow extends SessionCard, Pick<SessionBrief, 'branch'> {}

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
  /** Null while away mode is off. */
  readonly away: AwayState | null;
  readonly alerts: readonly Alert[];
  /** The paired device that the page is on, and how far its answers go; null on this machine. */
  readonly device: DeviceView | null;
  /** Whether this machine is in a fleet, of which the page may show the other machines. */
  readonly fleet: boolean;
  readonly sessions: readonly SessionBrief[];
  readonly recent: readonly EventBrief[];
}

interface DeviceView extends AnswerLimits {
  readonly name: string;
}

export interface SessionView {
  readonly session: SessionBrief;
  readonly summary: SessionSum;
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
  readonly reach: readonly RuleReach[];
  /** Hits of the last 14 days, today last. */
  readonly days: readonly number[];
}

export interface PackView {
  readonly name: string;
  readonly summary: string;
  readonly mode: 'on' | 'observe' | 'off';
  readonly rules: number;
  /** Not to be switched from a page. */
  readonly fixed: boolean;
}

export interface RulesView {
  readonly rules: readonly RuleView[];
  readonly packs: readonly PackView[];
}

/** What a rule is written as. */
export interface EditableRule {
  readonly text: string;
  readonly where: string;
  /** Rules that come with Hookline, or with a project, are changed elsewhere. */
  readonly editable: boolean;
}

export interface DraftCheck {
  readonly id: string | null;
  readonly problems: readonly DraftProblem[];
  readonly examples: CheckedDraft['examples'];
  readonly reach: readonly RuleReach[];
}

export interface ProposalView {
  readonly id: string;
  readonly text: string;
  readonly scope: string;
  readonly place: string;
  readonly times: number;
  readonly examples: readonly string[];
  readonly nearMisses: readonly string[];
}

interface AgentFinding {
  readonly message: string;
  /** What follows from it, where the message does not say so. */
  readonly why: string | null;
  readonly fix: string | null;
}

export interface AgentView {
  readonly id: string;
  readonly label: string;
  /** Null until it is known. */
  readonly installed: boolean | null;
  readonly version: string | null;
  readonly testedVersion: string;
  readonly setUp: boolean;
  /** Findings with a fix. */
  readonly problems: readonly AgentFinding[];
  readonly warnings: readonly AgentFinding[];
  /** Limitations of the agent, without a fix. */
  readonly limits: readonly string[];
  readonly sessions: number;
  readonly lastAt: number | null;
  /** Calls in its own transcripts that no hook reported. */
  readonly gaps: number;
}

/** What hook calls cost, over time and by how long they took. */
export interface LatencyView {
  readonly range: string;
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  /** There were more calls than were looked at; these are the newest. */
  readonly cut: boolean;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly buckets: readonly {
    readonly at: number;
    readonly p50: number | null;
    readonly p95: number | null;
  }[];
  /** `upTo` is null for those that took longer than all others. */
  readonly bars: readonly { readonly upTo: number | null; readonly calls: number }[];
  readonly slowest: readonly {
    readonly id: string;
    readonly ms: number;
    readonly source: string;
    readonly type: string;
  }[];
}

export interface HealthView {
  readonly agents: readonly AgentView[];
  readonly latency: LatencyView;
  readonly daemon: { readonly version: string; readonly startedAt: string };
  readonly failure: 'open' | 'closed';
  readonly historyBytes: number;
  readonly retentionDays: number | null;
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
  /** The sessions of the hits. */
  readonly sessions: readonly SessionBrief[];
  /** There may be more: only the best are given. */
  readonly cut: boolean;
}

export type GrantView = StandingGrant;
