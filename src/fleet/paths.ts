/** Fleet files in a home. */
export interface FleetPaths {
  readonly root: string;
  /** Signs what this machine sends. */
  readonly machineKey: string;
  /** The fleet that this machine is in. */
  readonly fleet: string;
  /** How far the history was sent to the fleet. */
  readonly fleetCursor: string;
  /** The last policy that was accepted. */
  readonly fleetPolicy: string;
  /** The machines that can answer approvals here. */
  readonly fleetApprovers: string;
}
