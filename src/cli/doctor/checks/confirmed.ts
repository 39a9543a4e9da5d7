import { limit, problem } from '../../../agents/setup/findings.ts';
import { openConfirmed } from '../../../home/confirmed/confirmed.ts';
import { CONFIRM_HINT, pendingChanges, pendingText } from '../../../home/confirmed/pending.ts';
import { UNCONFIRMED } from '../../../model/alert.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** Checks for changes of settings and rules that need confirmation. */
export function confirmed({ paths }: Pick<Examined, 'paths'>): readonly Diagnosis[] {
  const version = openConfirmed(paths);
  if (version.atOnce !== null)
    return [
      {
        ...limit('confirm-at-once', 'Weaker settings and rules apply without confirmation.'),
        why: version.atOnce,
      },
    ];
  const pending = pendingChanges(paths, version);
  const message = pendingText(pending);
  if (message === null) return [];
  const difference = pending.changes.flatMap(({ file, lines }) => lines.map((line) => `${file}: ${line}`));
  return [{ ...problem(UNCONFIRMED, message, CONFIRM_HINT), why: difference.join('; ') }];
}
