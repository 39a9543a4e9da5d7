import { FLEET_PARTS, type Fleet, openFleet } from '../fleet/fleet.ts';
import type { OpenHome } from '../home/open.ts';
import { openApprovalsPart } from './fleet/approvals-part.ts';
import { createFleetView, type FleetView } from './fleet/view.ts';
import type { Hub } from './hub.ts';
import { shownApproval } from './shown-approval.ts';

export interface DaemonFleet extends Fleet {
  /** What all machines do, for whoever looks. */
  readonly view: FleetView;
}

/** The fleet that the home has joined, with all that the daemon does in it. */
export function openDaemonFleet(home: OpenHome, hub: Hub): DaemonFleet {
  const view = createFleetView();
  return { ...openFleet(home, [...FLEET_PARTS, openApprovalsPart(hub, shownApproval), view.openPart]), view };
}
