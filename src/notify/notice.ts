import type { Approval } from '../approvals/approval.ts';
import type { StoredEvent } from '../store/stored-event.ts';

/** What people can be told of. */
export const OCCASIONS = ['approval', 'turn', 'failure'] as const;
export type Occasion = (typeof OCCASIONS)[number];

export interface Notice {
  readonly occasion: Occasion;
  readonly title: string;
  readonly text: string;
}

/** Somebody is waited for. */
export function approvalNotice(approval: Approval): Notice | null {
  if (approval.state !== 'pending') return null;
  const { source, tool, question, kind } = approval;
  const what = tool?.command ?? tool?.files[0]?.path ?? question ?? approval.questions[0]?.text ?? '';
  return {
    occasion: 'approval',
    title: `${source} waits for you`,
    text: shortened(`${tool?.name ?? kind}: ${what}`),
  };
}

/** A turn is over, or broke off. Turns of subagents are nobody's to wait for. */
export function eventNotice(event: StoredEvent): Notice | null {
  if (event.agentId !== null) return null;
  if (event.type === 'stop_failure') {
    return {
      occasion: 'failure',
      title: `${event.source} broke off`,
      text: shortened(String(event.event.error ?? '')),
    };
  }
  // A turn whose end was refused goes on.
  if ((event.type !== 'stop' && event.type !== 'after_agent') || event.response.decision === 'deny')
    return null;
  const said = event.event.lastAssistantMessage;
  return {
    occasion: 'turn',
    title: `${event.source} is done`,
    text: shortened(typeof said === 'string' ? said : ''),
  };
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

/** Whether a time of day lies in quiet hours such as `22:00-07:00`, which may go past midnight. */
export function isQuiet(hours: string, at: Date): boolean {
  const [from, until] = hours.split('-').map(minutesOf);
  if (from === undefined || until === undefined) return false;
  const now = at.getHours() * 60 + at.getMinutes();
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
