import { problem, warning } from '../../../agents/setup/findings.ts';
import { CHANNEL_DOWN, GUARD_LOST, PROGRAM_CHANGED, UNCONFIRMED } from '../../../model/alert.ts';
import { counted } from '../../../model/text.ts';
import type { Diagnosis, Examined } from '../check.ts';

const SEEN_HERE: ReadonlySet<string> = new Set([PROGRAM_CHANGED, UNCONFIRMED]);

/** Checks that the daemon has no alerts for the user. */
export function alerts({ presence }: Pick<Examined, 'presence'>): readonly Diagnosis[] {
  if (presence.kind !== 'answers') return [];
  const { alerts: noticed, unrecorded } = presence.status;
  const { waiting, dropped } = unrecorded;
  const found = noticed
    // `doctor` checks these itself, and its result is newer than the daemon's.
    .filter(({ level, code }) => level === 'problem' && !code.startsWith(GUARD_LOST) && !SEEN_HERE.has(code))
    .map(({ code, message, fix }) => {
      // If answers from elsewhere fail, the user can still answer here, and all rules apply.
      const found = code.startsWith(CHANNEL_DOWN) ? warning : problem;
      return found(code, message, fix ?? 'See the daemon log for details.');
    });
  if (waiting + dropped === 0) return found;
  const message = `${counted(waiting, 'call')} not recorded yet, and ${dropped} more discarded.`;
  return [
    ...found,
    problem('unrecorded', message, 'Free up disk space. The calls are then recorded automatically.'),
  ];
}
