import { isLoopback } from '../../platform/loopback.ts';

/** A program that connects to it reaches its own machine. */
const UNSPECIFIED = /^(?:0(?:\.\d+){3}|\[::\])$/;
/** The same in every house. */
const PRIVATE =
  /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|\[f[cd].*\])$/i;
/** No public name is without a dot, or ends like these. */
const LOCAL_NAME = /^(?:[\w-]+|[\w.-]+\.(?:localhost|local|internal|lan|svc|consul|test))$/i;

export function isThisMachine(host: string): boolean {
  return isLoopback(host) || UNSPECIFIED.test(host);
}

export function isPrivateAddress(host: string): boolean {
  return PRIVATE.test(host);
}

/** Whether a host leads nowhere outside of a network of one's own. */
export function isOnOwnNetwork(host: string): boolean {
  return isThisMachine(host) || isPrivateAddress(host) || LOCAL_NAME.test(host);
}
