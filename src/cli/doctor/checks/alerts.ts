import { problem } from '../../../agents/kit/setup-findings.ts';
import { counted } from '../../../model/text.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** The daemon has noticed nothing that people should know. */
export function alerts({ presence }: Pick<Examined, 'presence'>): readonly Diagnosis[] {
  if (presence.kind !== 'answers') return [];
  const { alerts: noticed, unrecorded } = presence.status;
  const { waiting, dropped } = unrecorded;
  const found = noticed
    .filter(({ level }) => level === 'problem')
    .map(({ code, message, fix }) => problem(code, message, fix ?? 'See the log of the daemon for more.'));
  if (waiting + dropped === 0) return found;
  const message = `${counted(waiting, 'call')} could not be recorded yet, and ${dropped} more are lost.`;
  return [
    ...found,
    problem('unrecorded', message, 'Make room on the disk: they are recorded within a second.'),
  ];
}
