import { connect } from 'node:net';
import type { NativeAnswer } from '../model/native.ts';
import { FIRST_REPLY_MS, MAX_REPLY_BYTES } from './limits.ts';
import { createLineReader } from './lines.ts';
import { readReply } from './reply.ts';
import { gotLine } from './request.ts';

/** `absent`: no process listens. `impostor`, `unproved`: it may not be the daemon. `silent`: no reply in time. */
type Failure = 'absent' | 'impostor' | 'unproved' | 'silent' | 'failed';

/** Why nothing is sent to the listener. */
export interface Refused {
  readonly why: string;
  readonly kind: Failure;
  /** The process that listens in place of the daemon, if known. */
  readonly pid?: number | null;
}

export type Exchange = { readonly answer: NativeAnswer } | ({ readonly answer: null } & Refused);

interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the first line of an answer. */
  readonly firstReplyMs?: number;
  /** Checks the listener once connected, before anything is sent to it. */
  readonly refuse?: () => Refused | null;
  /** Called when the daemon says that it has the call. */
  readonly onHeld?: () => void;
  /** Called if the announced time is over, and listening continues; without it, the exchange ends then. */
  readonly onOverdue?: (() => void) | undefined;
}

/** Sends the line and waits for its answer, with a deadline per step, or until the signal aborts. */
export function exchange(
  socketFile: string,
  line: Uint8Array,
  requestId: string,
  { signal, firstReplyMs = FIRST_REPLY_MS, refuse, onHeld, onOverdue }: ExchangeOptions = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    const fail = (why: string, kind: Failure = 'failed') => finish({ answer: null, why, kind });
    const overdue = onOverdue ?? (() => fail('the daemon took longer than it said'));
    const giveUp = () => fail('the answer is no longer needed');
    const silent = (why: string) => setTimeout(() => fail(why, 'silent'), firstReplyMs);
    let waiting = silent('the daemon does not answer');
    signal?.addEventListener('abort', giveUp, { once: true });

    function finish(result: Exchange): void {
      clearTimeout(waiting);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(result);
    }
    function wait(timer: () => NodeJS.Timeout): void {
      clearTimeout(waiting);
      waiting = timer();
    }
    function take(text: Buffer): void {
      // Ignores everything after the answer.
      if (socket.destroyed) return;
      const reply = readReply(text, requestId);
      if (reply.kind === 'hold') {
        onHeld?.();
        wait(() => setTimeout(overdue, reply.ms));
      }
      if (reply.kind === 'answer' && reply.confirm) socket.write(gotLine(requestId));
      if (reply.kind === 'answer') finish({ answer: reply.answer });
      if (reply.kind === 'failed') fail(reply.why);
    }

    socket.on('connect', () => {
      const refused = refuse?.() ?? null;
      if (refused !== null) return finish({ answer: null, ...refused });
      socket.write(line);
      wait(() => silent('the daemon took too long to answer'));
    });
    socket.on('error', (error) => fail(`the daemon does not answer: ${error.message}`, kindOf(error)));
    socket.on('end', () => fail('the daemon hung up before it answered'));
    const tooLong = () => fail('the daemon sent a line without end');
    socket.on('data', createLineReader(MAX_REPLY_BYTES, take, tooLong));
  });
}

function kindOf(error: NodeJS.ErrnoException): Failure {
  return error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'absent' : 'failed';
}
