import { homePaths } from '../home/paths.ts';
import { type Exchange, exchange } from '../wire/exchange.ts';
import { askPastHandOver, refusalOf, type SocketOwner, socketOwner } from '../wire/impostor.ts';
import { FIRST_REPLY_MS } from '../wire/limits.ts';
import { noteSilence } from '../wire/silence.ts';
import { socketPath } from '../wire/socket-path.ts';

interface Asked {
  readonly home: string;
  readonly id: string;
  readonly line: Uint8Array;
  readonly onHeld?: () => void;
  readonly onOverdue?: () => void;
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the first line of an answer. */
  readonly firstReplyMs?: number;
}

/**
 * Asks the daemon of a home. An answer from another process on its socket doesn't count, and is reported to the
 * daemon.
 */
export function askDaemonOf(asked: Asked): Promise<Exchange> {
  return askPastHandOver(asked.home, () => askOnce(asked));
}

async function askOnce({
  home,
  id,
  line,
  onHeld = () => {},
  onOverdue,
  signal,
  firstReplyMs = FIRST_REPLY_MS,
}: Asked): Promise<Exchange> {
  const socket = socketPath(home);
  let owner: SocketOwner = { kind: 'unknown' };
  const refuse = () => {
    owner = socketOwner(home, socket);
    if (owner.kind === 'stopped') noteSilence(home);
    return refusalOf(owner);
  };
  const exchanged = await exchange(socket, line, id, { onHeld, onOverdue, signal, refuse, firstReplyMs });
  if (exchanged.answer === null || (await mayBeDaemon(home, owner))) return exchanged;
  return {
    answer: null,
    kind: 'impostor',
    why: 'the process that answered is not the daemon: the home is not locked',
  };
}

/** A daemon in another namespace isn't visible, but holds the home's lock. */
async function mayBeDaemon(home: string, { kind }: SocketOwner): Promise<boolean> {
  if (kind !== 'unknown' || process.platform !== 'linux') return true;
  // Loading SQLite takes longer than everything else here.
  const { isLocked } = await import('./seldom.ts');
  return isLocked(homePaths(home).lock);
}
