import { setTimeout as pause } from 'node:timers/promises';
import type { ShownApproval } from '../../src/approvals/approval.ts';
import { fetchApprovals } from '../../src/client/approvals.ts';
import { connect } from '../../src/client/client.ts';
import { homePaths } from '../../src/home/paths.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const DEADLINE_MS = 90_000;

/** The approvals that wait in a sandbox, once there are so many. To ask by a command each time would take a core. */
export async function pendingApprovals(
  { hooklineHome }: Pick<Sandbox, 'hooklineHome'>,
  count: number,
): Promise<readonly ShownApproval[]> {
  const paths = homePaths(hooklineHome);
  for (const deadline = Date.now() + DEADLINE_MS; ; await pause(50)) {
    const daemon = await connect(paths);
    const pending = daemon ? (await fetchApprovals(daemon)).pending : [];
    if (pending.length === count) return pending;
    if (Date.now() > deadline) throw new Error(`${count} approvals were expected, ${pending.length} wait`);
  }
}
