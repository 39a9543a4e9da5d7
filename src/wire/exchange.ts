import { connect } from 'node:net';
import type { NativeAnswer } from '../model/native.ts';
import { FIRST_REPLY_MS, MAX_REPLY_BYTES } from './limits.ts';
import { createLineReader } from './lines.ts';
import { readReply } from './reply.ts';

/** Whether anybody listens, and whether a daemon that does said anything at all. */
type Failure = 'nobody' | 'silent' | 'failed';

export type Exchange =
  | { readonly answer: NativeAnswer }
  | { readonly answer: null; readonly why: string; readonly kind: Failure };

interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the first line of an answer. */
  readonly firstReplyMs?: number;
  /** Called when the daemon says that it has the call. */
  readonly onHeld?: () => void;
}

/** Sends the line and waits for the answer to it, each step with a deadline, or until nobody wants it any more. */
export function exchange(
  socketFile: string,
  line: Uint8Array,
  requestId: string,
  { signal, firstReplyMs = FIRST_REPLY_MS, onHeld }: ExchangeOptions = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    let waiting = deadline(firstReplyMs, 'the daemon does not answer');
    const giveUp = () => fail('nobody waits for the answer any more');
    signal?.addEventListener('abort', giveUp, { once: true });

    function finish(result: Exchange): void {
      clearTimeout(waiting);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(result);
    }
    function fail(why: string, kind: Failure = 'failed'): void {
      finish({ answer: null, why, kind });
    }
    function deadline(ms: number, why: string, kind: Failure = 'silent'): NodeJS.Timeout {
      return setTimeout(() => fail(why, kind), ms);
    }
    function wait(ms: number, kind?: Failure): void {
      clearTimeout(waiting);
      waiting = deadline(ms, 'the daemon took too long to answer', kind);
    }
    function take(text: Buffer): void {
      // What comes after the answer is for nobody.
      if (socket.destroyed) return;
      const reply = readReply(text, requestId);
      if (reply.kind === 'hold') {
        onHeld?.();
        wait(reply.ms, 'failed');
      }
      if (reply.kind === 'answer') finish({ answer: reply.answer });
      if (reply.kind === 'failed') fail(reply.why);
    }

    socket.on('connect', () => {
      socket.write(line);
      wait(firstReplyMs);
    });
    socket.on('error', (error) => fail(`the daemon does not answer: ${error.message}`, kindOf(error)));
    socket.on('end', () => fail('the daemon hung up before it answered'));
    const tooLong = () => fail('the daemon sent a line without end');
    socket.on('data', createLineReader(MAX_REPLY_BYTES, take, tooLong));
  });
}

function kindOf(error: NodeJS.ErrnoException): Failure {
  return error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'nobody' : 'failed';
}
