import type { Finding } from '../../agents/setup/setup.ts';
import type { Presence } from '../../client/presence.ts';
import type { Config } from '../../home/config.ts';
import type { HomePaths } from '../../home/paths.ts';
import type { HooklineError } from '../../model/errors.ts';
import type { ForwarderInUse } from '../forwarder-in-use.ts';

/** Facts that all checks use, gathered once. */
export interface Examined {
  readonly paths: HomePaths;
  readonly presence: Presence;
  /** The settings, or the strictest ones if they can't be read. */
  readonly config: Config;
  /** Why they can't be read. */
  readonly configProblem: HooklineError | null;
}

/** What `doctor --fix` may do by itself. It never widens permissions or loses data. */
export interface Repair {
  /** Repairs with the same ID run once. */
  readonly id: string;
  /** Shown to the user: `started the daemon`. */
  readonly done: string;
  run(): Promise<void> | void;
}

/** A finding that `doctor --fix` may be able to fix. */
export interface Diagnosis extends Finding {
  readonly repair?: Repair;
  /** The measured cost of a call, if calls were measured. */
  readonly forwarder?: ForwarderInUse;
}

/** Checks one thing. A check that passes returns a finding too, or none. */
export type Check = (examined: Examined) => readonly Diagnosis[] | Promise<readonly Diagnosis[]>;

/** The findings about Hookline itself, or about one agent. */
export interface Report {
  readonly about: string;
  readonly findings: readonly Diagnosis[];
}
