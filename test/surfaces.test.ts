import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import type { Agent } from '../src/agents/agent.ts';
import { type Approval, approvalTitle } from '../src/approvals/approval.ts';
import { createApprover } from '../src/approvals/approver.ts';
import { createApprovalQueue } from '../src/approvals/queue.ts';
import { approvalLines } from '../src/cli/approval-lines.ts';
import { eventLine } from '../src/cli/event-line.ts';
import { approvalNotice } from '../src/daemon/notify/notice.ts';
import { toBrief } from '../src/history/event-brief.ts';
import { observationsOf } from '../src/history/extract.ts';
import { html } from '../src/history/share/html.ts';
import { sharePage } from '../src/history/share/page.ts';
import { NOT_ASKING } from '../src/model/deciding.ts';
import { type HookEvent, isToolEvent } from '../src/model/events.ts';
import { ask, type HookResponse } from '../src/model/responses.ts';
import { eventSubject, eventTitle } from '../src/model/subject.ts';
import { oneLine } from '../src/model/text.ts';
import { openStore } from '../src/store/open.ts';
import { findEvent, listSessions } from '../src/store/queries.ts';
import { createRecorder } from '../src/store/recorder.ts';
import type { StoredEvent } from '../src/store/stored-event.ts';
import { call, scratchPath } from '../src/store/testing.ts';
import { eventText } from '../src/tui/Feed.tsx';

interface Case {
  readonly name: string;
  readonly agent: Agent;
  readonly event: HookEvent;
}

const cases: readonly Case[] = [...AGENTS.values()].flatMap((agent) => {
  const folder = new URL(`../src/agents/${agent.id}/fixtures/`, import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('in.json'))
    .sort()
    .map((file): Case => {
      const name = `${agent.id} ${file.replaceAll('\\', '/').replace('/in.json', '')}`;
      const payload: unknown = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
      const event = agent.decode({ id: name, receivedAt: 1_763_164_800_000, event: null, payload, env: {} });
      return { name, agent, event: { ...event, sessionId: name } };
    });
});

/** The approval that a rule makes of an event by asking about it; null where nobody can be asked. */
async function approvalOf({ agent, event }: Case, response: HookResponse): Promise<Approval | null> {
  let asked: Approval | null = null;
  const store = { save: () => {}, find: () => null, pending: () => [] };
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

test('every surface says the same of what a call or an event is about', async () => {
  const db = openStore(scratchPath());
  const recorder = createRecorder(db, { redact: (text) => text });
  for (const { event } of cases) recorder.commit(call(recorder.place(event)));

  let [calls, approvals] = [0, 0];
  for (const one of cases) {
    const { name, agent, event } = one;
    const subject = eventSubject(event);
    const tool = isToolEvent(event) ? event.tool : null;
    const line = (most: number) => [tool?.name, oneLine(subject, most)].filter(Boolean).join(' ');
    const stored = findEvent(db, event.id);
    if (!stored) throw new Error(`${name} was not stored`);
    expect(eventLine(stored), name).toContain(` ${line(70)} ${event.id}`);
    expect(eventText(stored), name).toBe(line(300));
    expect(toBrief(stored).subject, name).toBe(oneLine(subject, 160));

    if (tool) {
      calls += 1;
      expect(shared(stored), name).toContain(html`</span> ${oneLine(subject, 160)} <span`.markup);
    }
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
  expect(calls).toBeGreaterThan(80);
  expect(approvals).toBeGreaterThan(80);

  function shared(stored: StoredEvent): string {
    const [session] = listSessions(db, { source: stored.source, session: stored.sessionId });
    if (!session) throw new Error(`no session ${stored.sessionId}`);
    return sharePage(session, [stored], AGENTS, (text) => text);
  }
  db.close();
});

test('what the captured payloads of all agents are about', async () => {
  const lines = cases.map(({ name, event }) => `${name}: ${oneLine(eventTitle(event), 120)}`);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./surfaces.snap');
});
