import type { AnswerLimits } from './limits.ts';

/** A paired phone or remote browser. */
export interface Device extends AnswerLimits {
  readonly name: string;
  readonly pairedAt: string;
  /** The person who paired it. */
  readonly pairedBy: string;
  readonly lastSeenAt: string;
}
