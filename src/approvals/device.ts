import type { AnswerLimits } from './limits.ts';

/** A phone, or another browser elsewhere, that was let in. */
export interface Device extends AnswerLimits {
  readonly name: string;
  readonly pairedAt: string;
  /** Who let it in. */
  readonly pairedBy: string;
  readonly lastSeenAt: string;
}
