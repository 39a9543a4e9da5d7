import { type Approval, approvalTitle } from '../../approvals/approval.ts';
import { counted, folderName } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { settledApprovals } from '../../store/read/approvals.ts';
import { countEvents } from '../../store/read/queries.ts';
import { listItems } from '../calls/list-calls.ts';
import { type Row, rowOf } from '../calls/row.ts';

/** One approval, answered or not. */
interface Answered {
  readonly id: string;
  readonly source: string;
  readonly place: string;
  readonly subject: string;
  readonly state: Approval['state'];
  /** The person and the device. */
  readonly by: string;
  readonly at: string;
}

/** What happened during away mode. */
export interface AwaySummary {
  readonly since: string;
  readonly until: string;
  readonly calls: number;
  /** Number of denied calls, and the last of them. */
  readonly deniedCalls: number;
  readonly denied: readonly Row[];
  readonly answered: readonly Answered[];
  readonly expired: readonly Answered[];
  /** Rejected attempts to answer. */
  readonly refused: number;
}

const MOST_DENIED = 20;
const LONGEST_SUBJECT = 100;
const REFUSED = { session: 'access', noteworthy: true } as const;

export function awaySummary(db: Database, since: number, until: number, now: number): AwaySummary {
  const denied = listItems(db, { fates: ['denied'], since, until, limit: Number.MAX_SAFE_INTEGER }, now)
    .filter((item) => item.kind === 'call')
    .map(rowOf);
  const ended = settledApprovals(db, since, until).map(answeredOf);
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    calls: countEvents(db, { type: 'before_tool', since, until }),
    deniedCalls: denied.length,
    denied: denied.slice(-MOST_DENIED),
    answered: ended.filter(({ state }) => state === 'allowed' || state === 'denied'),
    expired: ended.filter(({ state }) => state === 'expired'),
    refused: listItems(
      db,
      { ...REFUSED, fates: ['denied'], since, until, limit: Number.MAX_SAFE_INTEGER },
      now,
    ).length,
  };
}

function answeredOf(approval: Approval): Answered {
  const { id, source, state, settledBy, settledAt, projectId, cwd } = approval;
  return {
    id,
    source,
    place: folderName(projectId ?? cwd),
    subject: approvalTitle(approval, LONGEST_SUBJECT),
    state,
    by: settledBy ?? '',
    at: new Date(settledAt ?? 0).toISOString(),
  };
}

/** A summary in one sentence. */
export function awaySentence({ calls, deniedCalls, answered, expired, refused }: AwaySummary): string {
  const parts = [
    counted(calls, 'call'),
    `${deniedCalls} denied`,
    `${answered.length} answered`,
    `${expired.length} expired`,
    ...(refused > 0 ? [`${counted(refused, 'attempt')} rejected`] : []),
  ];
  return `${parts.join(', ')}.`;
}
