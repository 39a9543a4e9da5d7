/** Where a home keeps what belongs to its fleet. */
export interface FleetPaths {
  readonly root: string;
  /** Signs what this machine sends. */
  readonly machineKey: string;
  /** The fleet that this machine is in. */
  readonly fleet: string;
  /** How far the record has reached the fleet. */
  readonly fleetCursor: string;
  /** The last policy that was accepted. */
  readonly fleetPolicy: string;
  /** The machines that can answer approvals here. */
  readonly fleetApprovers: string;
}
