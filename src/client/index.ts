/**
 * `hookline/client`: the approvals of a running daemon, for a program of your own.
 * @module
 */
import type { Reply, ShownApproval } from '../approvals/approval.ts';
import { homePaths } from '../home/paths.ts';
import { answerApproval, fetchApprovals } from './approvals.ts';
import { connect as connectTo } from './client.ts';

export type { Answer, AnswerScope, Reply, ShownApproval as Approval } from '../approvals/approval.ts';
export { HooklineError } from '../model/errors.ts';
export { askAsScript } from './request.ts';

export interface ConnectOptions {
  /** Hookline's home, if it is neither `$HOOKLINE_HOME` nor `~/.hookline`. */
  readonly home?: string;
  /** Recorded with every answer, such as `status bar`. */
  readonly name?: string;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Agents wait for an answer from here, as while the dashboard is open. */
  readonly answers?: boolean;
}

/** A running daemon. Each call is one request, so there is nothing to close. */
export interface Connection {
  /** Version of the daemon. */
  readonly version: string;
  /** Pending and recently ended approvals. */
  approvals(): Promise<{
    readonly pending: readonly ShownApproval[];
    readonly recent: readonly ShownApproval[];
  }>;
  /** Answers an approval; the beginning of its ID is enough. `ok` is false if it was answered before. */
  answer(id: string, reply: Reply): Promise<{ readonly ok: boolean; readonly approval: ShownApproval }>;
  /** Calls `onNews` when the feed opens and after each event, until the daemon stops or the signal is aborted. */
  follow(onNews: () => void, options: FollowOptions): Promise<void>;
}

/**
 * The daemon of a home; null while none answers. `hookline up` starts it.
 * @example
 * import { connect } from 'hookline/client';
 *
 * const daemon = await connect({ name: 'status bar' });
 * const { pending } = (await daemon?.approvals()) ?? { pending: [] };
 * for (const { id, source, tool } of pending) console.log(id, source, tool?.command ?? tool?.name);
 */
export async function connect({ home, name = 'client' }: ConnectOptions = {}): Promise<Connection | null> {
  const client = await connectTo(homePaths(home));
  if (client === null) return null;
  return {
    version: client.info.version,
    approvals: () => fetchApprovals(client),
    answer: (id, reply) => answerApproval(client, id, reply, name),
    follow: (onNews, { signal, answers }) => client.follow(onNews, signal, answers ? name : undefined),
  };
}
