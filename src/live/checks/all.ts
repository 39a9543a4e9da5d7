import type { Check } from '../check.ts';
import { ask, deny } from './denials.ts';
import { daemonLost, forwarderGone, lateAnswer } from './failures.ts';
import { guardedFile } from './files.ts';
import { allow, noOpinion } from './permissions.ts';
import { rewrite, rewriteRefused } from './rewrites.ts';
import { context, failedCommand, promptBlock, turnGate } from './turns.ts';

/** Effects of a rule on a turn. The same rules apply to every client. */
export const EFFECT_CHECKS: readonly Check[] = [
  context,
  failedCommand,
  deny,
  ask,
  rewrite,
  rewriteRefused,
  guardedFile,
  turnGate,
  allow,
  noOpinion,
  promptBlock,
];

/** What happens to guards when something is slow or fails. */
export const FAILURE_CHECKS: readonly Check[] = [lateAnswer, daemonLost('KILL'), forwarderGone];
