import { type Approval, approvalSubject } from '../approvals/approval.ts';
import type { EventType } from '../model/events.ts';
import { oneLine } from '../model/text.ts';
import { storedSubject } from '../store/read/canonical-event.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';

/** Occasions for notifications. */
const OCCASIONS = ['approval', 'turn', 'failure'] as const;
type Occasion = (typeof OCCASIONS)[number];

/** Length that a desktop shows without truncating. */
const LONGEST = 160;

export interface Notice {
  readonly occasion: Occasion;
  readonly title: string;
  readonly text: string;
}

/** The notification of a pending approval; null once it is answered. */
export function approvalNotice(approval: Approval): Notice | null {
  if (approval.state !== 'pending') return null;
  const { source, tool, kind } = approval;
  return {
    occasion: 'approval',
    title: `${source} needs approval`,
    text: oneLine(`${tool?.name ?? kind}: ${approvalSubject(approval)}`, LONGEST),
  };
}

/** The notification occasion of an event type; null for most. */
export function occasionOf(type: EventType): Occasion | null {
  if (type === 'stop_failure') return 'failure';
  return type === 'stop' || type === 'after_agent' ? 'turn' : null;
}

/** The notification for a turn that finished or failed. Turns of subagents send none. */
export function eventNotice(event: StoredEvent): Notice | null {
  const occasion = occasionOf(event.type);
  if (event.agentId !== null || occasion === null) return null;
  if (occasion === 'failure') {
    return {
      occasion,
      title: `${event.source} failed`,
      text: oneLine(storedSubject(event), LONGEST),
    };
  }
  // A turn continues if its end was denied.
  if (event.response.decision === 'deny') return null;
  return {
    occasion,
    title: `${event.source} finished`,
    text: oneLine(storedSubject(event), LONGEST),
  };
}

/** True if a time of day is in quiet hours such as `22:00-07:00`, which may cross midnight. */
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
