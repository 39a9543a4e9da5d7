import type { Finding } from '../../agents/setup/setup.ts';
import type { Presence } from '../../client/presence.ts';
import type { Config } from '../../home/config.ts';
import type { HomePaths } from '../../home/paths.ts';
import type { HooklineError } from '../../model/errors.ts';
import type { ForwarderInUse } from '../forwarder-in-use.ts';

/** What all checks look at; found out once. */
export interface Examined {
  readonly paths: HomePaths;
  readonly presence: Presence;
  /** The settings, or the strictest where they cannot be read. */
  readonly config: Config;
  /** Why they cannot be read. */
  readonly configProblem: HooklineError | null;
}

/** What `doctor --fix` may do by itself: nothing that gives more permission, and nothing that loses anything. */
export interface Repair {
  /** Of several with the same id, one is enough. */
  readonly id: string;
  /** For display: `started the daemon`. */
  readonly done: string;
  run(): Promise<void> | void;
}

/** A finding that `doctor --fix` may be able to fix. */
export interface Diagnosis extends Finding {
  readonly repair?: Repair;
  /** Where calls were measured: what they cost. */
  readonly forwarder?: ForwarderInUse;
}

/** One thing that can be wrong. A healthy answer is a finding, too, or none. */
export type Check = (examined: Examined) => readonly Diagnosis[] | Promise<readonly Diagnosis[]>;

/** What was found about Hookline itself, or about one agent. */
export interface Report {
  readonly about: string;
  readonly findings: readonly Diagnosis[];
}
