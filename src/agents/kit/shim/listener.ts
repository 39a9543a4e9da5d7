import { lstatSync } from 'node:fs';
import type { Refused } from '../../../wire/exchange.ts';
import { refusalOf, socketOwner } from '../../../wire/impostor.ts';

const UNPROVED: Refused = { kind: 'unproved', why: 'the daemon cannot be seen from here' };

/**
 * Looks at who listens on the socket, again only where its file is another one. Where Linux does not show it, the forwarder is
 * asked, which can ask the kernel; other systems don't show it at all.
 */
export function createListenerCheck(home: string, socket: string): () => Refused | null {
  let proved: string | null = null;
  return () => {
    const file = identityOf(socket);
    if (file !== null && file === proved) return null;
    const owner = socketOwner(home, socket);
    if (owner.kind === 'daemon') proved = file;
    if (owner.kind === 'unknown' && process.platform === 'linux') return UNPROVED;
    return refusalOf(owner);
  };
}

/** The time of change is that of a move, too. */
function identityOf(path: string): string | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}:${found.ctimeNs}` : null;
}
