import type { Alerts } from '../model/alert.ts';
import type { Log } from '../model/log.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { MachineSigner } from '../store/chain/chain.ts';
import type { Database } from '../store/database/driver.ts';
import type { Machine } from './machine.ts';
import type { Coverage } from './machines/report.ts';
import type { FleetPaths } from './paths.ts';
import type { FleetSession } from './server/connection.ts';
import type { FleetSettings } from './settings.ts';
import type { TeamNames } from './subjects.ts';

/** What parts of a fleet use of the home that they run in. */
export interface FleetHome {
  readonly paths: FleetPaths;
  readonly db: Database;
  readonly signer: MachineSigner;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly rules: RuleSet;
  /** The agents of this machine, as they are now. */
  readonly coverage: Coverage;
  /** Calls after each transaction that stored something. Gives the way to stop. */
  onStored(listener: () => void): () => void;
}

/** The fleet and machine of a part. Made again when the machine joins another fleet. */
export interface FleetContext {
  readonly home: FleetHome;
  readonly settings: FleetSettings;
  readonly machine: Machine;
  readonly names: TeamNames;
}

/**
 * One thing that a fleet does: audit, policy, approvals. It may work without a server too (say, with the last policy that
 * it had), and is given a session whenever there is a connection.
 */
export interface FleetPart {
  /** As in `fleet status`. */
  readonly name: string;
  /**
   * Works with a session and returns soon after its signal ends. Where it throws it is called again after a while, with the
   * same session or the next; other parts go on meanwhile.
   */
  run(session: FleetSession): Promise<void>;
  /** What `fleet status --json` has of it. */
  status(): Readonly<Record<string, unknown>>;
  /** The machine leaves, or the daemon stops. */
  close?(): void;
}

export type OpenPart = (context: FleetContext) => FleetPart;
