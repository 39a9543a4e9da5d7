import type { Alerts } from '../home/alerts.ts';
import type { OpenHome } from '../home/open.ts';
import type { FleetSession } from './connection.ts';
import type { Machine } from './machine.ts';
import type { FleetSettings } from './settings.ts';
import type { TeamNames } from './subjects.ts';

/** What parts of a fleet use of the home that they run in. */
export type FleetHome = Pick<
  OpenHome,
  'paths' | 'config' | 'db' | 'signer' | 'log' | 'rules' | 'onStored'
> & {
  readonly alerts: Alerts;
};

/** Where a part finds itself: which fleet, which machine. Made anew when the machine joins another one. */
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
