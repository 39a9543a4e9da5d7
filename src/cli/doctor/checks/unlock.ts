import { problem } from '../../../agents/setup/findings.ts';
import { unlockedText } from '../../../model/people/unlocked.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** Checks that no protected rule is paused. */
export function unlock({ presence }: Pick<Examined, 'presence'>): readonly Diagnosis[] {
  const until = presence.kind === 'answers' ? presence.status.unlockedUntil : null;
  return until === null ? [] : [problem('unlocked', unlockedText(until), 'Run `hookline unlock --lock`.')];
}
