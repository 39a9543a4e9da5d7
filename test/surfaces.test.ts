import { expect, test } from 'vitest';
import { type Approval, approvalTitle } from '../src/approvals/approval.ts';
import { createApprover } from '../src/approvals/approver.ts';
import { createApprovalQueue } from '../src/approvals/queue.ts';
import { approvalLines } from '../src/cli/output/approval-lines.ts';
import { observationsOf } from '../src/history/observations/extract.ts';
import { NOT_ASKING } from '../src/model/deciding.ts';
import { isToolEvent } from '../src/model/events.ts';
import { ask, type HookResponse } from '../src/model/responses.ts';
import { eventSubject, eventTitle } from '../src/model/subject.ts';
import { oneLine } from '../src/model/text.ts';
import { approvalNotice } from '../src/notify/notice.ts';
import { type FixtureCase, fixtureCases } from './fixture-cases.ts';

const cases = fixtureCases();

/** The approval that a rule makes of an event by asking about it; null if no person can be asked. */
async function approvalOf({ agent, event }: FixtureCase, response: HookResponse): Promise<Approval | null> {
  let asked: Approval | null = null;
  const store = {
    save: () => {},
    find: () => null,
    pending: () => [],
    ofEvent: () => null,
    kept: (one: Approval) => one,
  };
  const queue = createApprovalQueue(store, { now: () => 0, after: () => () => {} });
  queue.subscribe((approval) => {
    if (approval.state !== 'pending') return;
    asked = approval;
    queue.withdraw(() => true, 'seen');
  });
  const options = { newId: () => 'a', now: () => 0, attended: () => true, waitMs: 1000 } as const;
  const questions = isToolEvent(event) ? (agent.questions?.read(event.tool) ?? []) : [];
  const approver = createApprover({ ...options, queue, onExpiry: 'none' });
  await approver.approve(event, response, [], { ...NOT_ASKING, timeoutMs: 10_000, questions });
  return asked;
}

/** Approvals and notices read the same on every surface. */
test('approvals and notices show the same subject of a call', async () => {
  let approvals = 0;
  for (const one of cases) {
    const { name, agent, event } = one;
    const subject = eventSubject(event);
    const tool = isToolEvent(event) ? event.tool : null;
    if (event.type === 'before_tool') {
      const verdict = { decision: 'deny', by: [], reason: null } as const;
      expect(observationsOf(event, verdict, agent.history), name).toEqual([
        expect.objectContaining({ kind: 'permission', subject: oneLine(subject, 300) }),
      ]);
    }
    const approval = await approvalOf(one, ask('Really?'));
    if (!approval) continue;
    approvals += 1;
    expect(approvalTitle(approval, 160), name).toBe(
      [tool?.name ?? 'elicitation', oneLine(subject, 160)].filter(Boolean).join(' '),
    );
    expect(approvalLines(approval).slice(1).join('\n'), name).toContain(subject.replaceAll('\n', '\n  '));
    expect(approvalNotice(approval)?.text, name).toBe(
      oneLine(`${tool?.name ?? 'elicitation'}: ${subject}`, 160),
    );
  }
  expect(approvals).toBeGreaterThan(80);
});

test('subjects of the captured payloads of all agents', async () => {
  const lines = cases.map(({ name, event }) => `${name}: ${oneLine(eventTitle(event), 120)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./surfaces.snap');
});
