import { type Fleet, openFleet } from '../fleet/fleet.ts';
import { FLEET_PARTS } from '../fleet/parts.ts';
import type { OpenHome } from '../home/open.ts';

/** The fleet that the home has joined, with all that the daemon does in it. */
export function openDaemonFleet(home: OpenHome): Fleet {
  return openFleet(home, FLEET_PARTS);
}
