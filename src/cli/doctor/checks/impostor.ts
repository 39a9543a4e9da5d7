import { limit, problem } from '../../../agents/setup/findings.ts';
import { type SocketOwner, socketOwner } from '../../../wire/impostor.ts';
import { socketPath } from '../../../wire/socket-path.ts';
import type { Diagnosis, Examined } from '../check.ts';

/** Checks that the process that answers calls is the daemon, as far as this system can tell. */
export function impostor(
  { paths, presence }: Pick<Examined, 'paths' | 'presence'>,
  ownerOf: (home: string, socket: string) => SocketOwner = socketOwner,
): readonly Diagnosis[] {
  if (presence.kind === 'none') return [];
  const socket = socketPath(paths.root);
  const owner = ownerOf(paths.root, socket);
  if (owner.kind === 'impostor') {
    const who = owner.pid === null ? 'Another process' : `Process ${owner.pid}`;
    const message = `${who} listens on the daemon's socket, ${socket}. Its answers don't count: the rules decide each call.`;
    const fix = 'Find out what it is and end it. Then run `hookline down` and `hookline up`.';
    return [problem('impostor', message, fix)];
  }
  if (owner.kind !== 'unknown') return [];
  const message = "Hookline can't prove here that the daemon is what answers on its socket.";
  const fix = 'On Linux, run the daemon and the agents in the same container.';
  return [limit('peer-unproved', message, process.platform === 'linux' ? fix : null)];
}
