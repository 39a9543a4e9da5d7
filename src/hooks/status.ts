import type { Health } from './health.ts';
import type { Hook, HookKind } from './hook.ts';

/** What users see of a hook. */
interface HookStatus {
  readonly name: string;
  readonly kind: HookKind;
  readonly where: string;
  readonly state: 'ready' | 'paused' | 'broken';
  readonly runs: number;
  readonly failures: number;
  /** Why it can't run, or its last error. */
  readonly problem: string | null;
}

export function hookStatus({ name, kind, where, problem }: Hook, health: Health): HookStatus {
  return {
    name,
    kind,
    where,
    state: problem !== null ? 'broken' : health.pausedUntil !== null ? 'paused' : 'ready',
    runs: health.runs,
    failures: health.failures,
    problem: problem ?? health.lastProblem,
  };
}
