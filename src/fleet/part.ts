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

/** The parts of a home that fleet parts use. */
export interface FleetHome {
  readonly paths: FleetPaths;
  readonly db: Database;
  readonly signer: MachineSigner;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly rules: RuleSet;
  /** The current agents of this machine. */
  readonly coverage: Coverage;
  /** Calls back after each transaction that stored something. Returns the function that stops it. */
  onStored(listener: () => void): () => void;
}

/** The fleet and machine of a part. Recreated when the machine joins another fleet. */
export interface FleetContext {
  readonly home: FleetHome;
  readonly settings: FleetSettings;
  readonly machine: Machine;
  readonly names: TeamNames;
}

/**
 * One feature of a fleet: audit, policy, approvals. It may work without a server too, for example with the last
 * policy. It gets a session whenever there is a connection.
 */
export interface FleetPart {
  /** As in `fleet status`. */
  readonly name: string;
  /**
   * Works with a session and returns soon after its signal aborts. If it throws, it is called again after a while,
   * with the same session or the next. Other parts continue.
   */
  run(session: FleetSession): Promise<void>;
  /** Its entry in `fleet status --json`. */
  status(): Readonly<Record<string, unknown>>;
  /** Called when the machine leaves, or the daemon stops. */
  close?(): void;
}

export type OpenPart = (context: FleetContext) => FleetPart;
