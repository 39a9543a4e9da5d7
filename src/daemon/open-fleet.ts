import { type Fleet, openFleet } from '../fleet/fleet.ts';
import { FLEET_PARTS } from '../fleet/parts.ts';
import type { OpenHome } from '../home/open.ts';
import { openApprovalsPart } from './fleet/approvals-part.ts';
import type { Hub } from './hub.ts';

/** The fleet that the home has joined, with all that the daemon does in it. */
export function openDaemonFleet(home: OpenHome, hub: Hub): Fleet {
  return openFleet(home, [...FLEET_PARTS, openApprovalsPart(hub)]);
}
