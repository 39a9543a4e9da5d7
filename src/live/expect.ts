import { oneLine } from '../model/text.ts';
import type { Mismatch } from './check.ts';

const MOST = 160;

/** A list with the mismatch, unless the condition is met. */
export function expectThat(isSo: boolean, expected: string, seen: string): readonly Mismatch[] {
  return isSo ? [] : [{ expected, seen: oneLine(seen, MOST) || 'nothing' }];
}

/** The model was told this, in this text and nowhere else. */
export function expectTold(text: string, part: string): readonly Mismatch[] {
  return expectThat(text.includes(part), `the model reads "${part}"`, `it reads: ${text}`);
}
