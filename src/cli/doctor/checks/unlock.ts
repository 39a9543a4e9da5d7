import { problem } from '../../../agents/kit/setup-findings.ts';
import { unlockedText } from '../../../model/unlocked.ts';
import type { Check } from '../check.ts';

/** No protected rule is paused. */
export const unlock: Check = ({ presence }) => {
  const until = presence.kind === 'answers' ? presence.status.unlockedUntil : null;
  return until === null ? [] : [problem('unlocked', unlockedText(until), 'Run `hookline unlock --lock`.')];
};
