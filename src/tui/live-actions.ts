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

/** Hides an approval from the key press on, before the daemon confirms it, so that it can't be answered twice. */
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
  const late: string[] = [];
  const given: ShownApproval[] = [];
  for (const id of ids) {
    const { ok, approval } = await answerApproval(client, id, answer, 'terminal');
    if (ok) given.push(approval);
    else late.push(`already ${settlementText(approval)}`);
  }
  const [first] = given;
  const times = given.length > 1 ? ` (${given.length} calls)` : '';
  const done = first
    ? [`${first.state === 'withdrawn' ? 'handed back' : first.state}${times}: ${requestTitle(first)}`]
    : [];
  note([...done, ...late].join('; '));
}

export async function keepGoing(
  client: Client,
  event: StoredEvent,
  message: string,
  note: Note,
): Promise<void> {
  await client.post(gatePath(event), { message });
  note('The turn will continue when it tries to end.');
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
  const what = gate === 'untested' ? 'changes are untested' : 'changes are uncommitted';
  note(isRequired ? `The turn can't end while ${what}.` : `The turn can end even if ${what}.`);
}
