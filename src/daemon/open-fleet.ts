import { openApprovalsPart } from '../fleet/approvals/part.ts';
import { FLEET_PARTS, type Fleet, openFleet } from '../fleet/fleet.ts';
import { createFleetView, type FleetView } from '../fleet/machines/view.ts';
import type { OpenHome } from '../home/open.ts';
import { shownApproval } from './approval-view.ts';
import type { CallHandler } from './call-handler.ts';

export interface DaemonFleet extends Fleet {
  /** The activity of all machines, for the dashboard. */
  readonly view: FleetView;
}

/** The fleet that the home has joined, and the daemon's part in it. */
export function openDaemonFleet(home: OpenHome, hub: CallHandler): DaemonFleet {
  const view = createFleetView();
  return { ...openFleet(home, [...FLEET_PARTS, openApprovalsPart(hub, shownApproval), view.openPart]), view };
}
