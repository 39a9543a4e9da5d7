import { expect, test } from 'vitest';
import { commandApproval } from '../../../../test/support/agents/codex/app-server.ts';
import { createApprovals } from './approvals.ts';

const accepted = { decision: 'accept' };

/** Questions in their order, each to be answered by hand. */
function table() {
  const judged: ((result: typeof accepted | null) => void)[] = [];
  const approvals = createApprovals(() => new Promise((resolve) => judged.push(resolve)));
  const given: unknown[] = [];
  return { judged, approvals, given, give: (result: unknown) => void given.push(result) };
}

test('the first answer wins', async () => {
  const { judged, approvals, given, give } = table();
  const taken = approvals.take(commandApproval(0), give);
  approvals.resolved(0);
  judged[0]?.(accepted);
  await taken;
  expect(given).toEqual([]);
});

test('a question repeated while it is pending is evaluated and answered once', async () => {
  const { judged, approvals, given, give } = table();
  const both = [approvals.take(commandApproval(0), give), approvals.take(commandApproval(0), give)];
  judged[0]?.(accepted);
  await Promise.all(both);
  expect([judged.length, given]).toEqual([1, [accepted]]);
});

test('after a lost connection the same question gets the same answer, without a new evaluation', async () => {
  const { judged, approvals, given, give } = table();
  const first = approvals.take(commandApproval(0), give);
  judged[0]?.(accepted);
  await first;
  approvals.reconnected();
  await approvals.take(commandApproval(0), give);
  expect([judged.length, given]).toEqual([1, [accepted, accepted]]);
});

test('an old ID with another question is a new approval', async () => {
  const { judged, approvals, given, give } = table();
  const first = approvals.take(commandApproval(0, 'touch a', 'call_1'), give);
  judged[0]?.(accepted);
  await first;
  approvals.reconnected();
  const second = approvals.take(commandApproval(0, 'rm -rf /', 'call_1'), give);
  judged[1]?.(null);
  await second;
  expect(given).toEqual([accepted, null]);
});

test('a question that repeats after its answer is evaluated again', async () => {
  const { judged, approvals, given, give } = table();
  const first = approvals.take(commandApproval(0), give);
  judged[0]?.(accepted);
  await first;
  approvals.resolved(0);
  const second = approvals.take(commandApproval(0), give);
  judged[1]?.(null);
  await second;
  expect(given).toEqual([accepted, null]);
});

test('cancels the approval when it is answered elsewhere', async () => {
  let signal: AbortSignal | null = null;
  const approvals = createApprovals((_, given) => {
    signal = given;
    return new Promise((resolve) => given.addEventListener('abort', () => resolve(null)));
  });
  const given: unknown[] = [];
  const taken = approvals.take(commandApproval(0), (result) => void given.push(result));
  approvals.resolved(0);
  await taken;
  expect([signal, given]).toMatchObject([{ aborted: true }, []]);
});
