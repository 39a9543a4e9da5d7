import { isLoopback } from '../../platform/loopback.ts';

/** Connecting to it reaches the local machine. */
const UNSPECIFIED = /^(?:0(?:\.\d+){3}|\[::\])$/;
/** Private address ranges. */
const PRIVATE =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[f[cd].*\])$/i;
/** Public names contain a dot and don't end like these. */
const LOCAL_NAME = /^(?:[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan|svc|consul|test))$/i;

export function isThisMachine(host: string): boolean {
  return isLoopback(host) || UNSPECIFIED.test(host);
}

export function isPrivateAddress(host: string): boolean {
  return PRIVATE.test(host);
}

/** True if a host is inside a private network. */
export function isOnOwnNetwork(host: string): boolean {
  return isThisMachine(host) || isPrivateAddress(host) || LOCAL_NAME.test(host);
}
