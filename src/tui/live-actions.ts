import * as v from 'valibot';
import { type Reply, type ShownApproval, settlementText } from '../approvals/approval.ts';
import { answerApproval } from '../client/approvals.ts';
import type { Client } from '../client/client.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';
import { requestTitle } from './labels.ts';

const gates = v.object({ standing: v.object({ untested: v.boolean(), dirty: v.boolean() }) });

function gatePath({ source, sessionId }: StoredEvent): string {
  return `/api/sessions/${source}/${encodeURIComponent(sessionId)}/gate`;
}

interface Answered {
  add(ids: readonly string[]): void;
  remove(ids: readonly string[]): void;
  without(pending: readonly ShownApproval[]): readonly ShownApproval[];
}

/** What has its answer leaves the screen with the key, not when the daemon has heard of it: nobody answers it twice. */
export function createAnswered(): Answered {
  const known = new Set<string>();
  return {
    add(ids) {
      for (const id of ids) known.add(id);
    },
    remove(ids) {
      for (const id of ids) known.delete(id);
    },
    without: (pending) => pending.filter(({ id }) => !known.has(id)),
  };
}

type Note = (text: string) => void;

export async function sendAnswer(
  client: Client,
  ids: readonly string[],
  answer: Reply,
  note: Note,
): Promise<void> {
  const lost: string[] = [];
  const given: ShownApproval[] = [];
  for (const id of ids) {
    const { ok, approval } = await answerApproval(client, id, answer, 'terminal');
    if (ok) given.push(approval);
    else lost.push(`already ${settlementText(approval)}`);
  }
  const [first] = given;
  const times = given.length > 1 ? ` (${given.length} requests)` : '';
  const done = first
    ? [`${first.state === 'withdrawn' ? 'left to the agent' : first.state}${times}: ${requestTitle(first)}`]
    : [];
  note([...done, ...lost].join('; '));
}

export async function keepGoing(
  client: Client,
  event: StoredEvent,
  message: string,
  note: Note,
): Promise<void> {
  await client.post(gatePath(event), { message });
  note('It will go on when it wants to stop.');
}

export async function toggleGate(
  client: Client,
  event: StoredEvent,
  gate: 'untested' | 'dirty',
  note: Note,
): Promise<void> {
  const { standing } = v.parse(gates, await client.post(gatePath(event), {}));
  const isRequired = !standing[gate];
  await client.post(gatePath(event), { [gate]: isRequired });
  const what = gate === 'untested' ? 'its changes are not tested' : 'its tree is dirty';
  note(isRequired ? `It may not stop while ${what}.` : `It may stop even if ${what}.`);
}
