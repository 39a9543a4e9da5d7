import { connect } from 'node:net';
import type { NativeAnswer } from '../agents/agent.ts';
import { hear } from './reply.ts';

const CONNECT_MS = 1_000;
const REPLY_MS = 5_000;
/** A line longer than this is not a reply. */
const MAX_LINE_BYTES = 64 << 20;

export type Exchange = { readonly answer: NativeAnswer } | { readonly answer: null; readonly why: string };

/** Sends the line and waits for the answer to it, each step with a deadline, or until nobody wants it any more. */
export function exchange(
  socketFile: string,
  line: Uint8Array,
  requestId: string,
  signal?: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    let waiting = deadline(CONNECT_MS, 'the daemon does not answer');
    let received: Buffer[] = [];
    let size = 0;

    const giveUp = () => fail('nobody waits for the answer any more');
    signal?.addEventListener('abort', giveUp, { once: true });

    function finish(result: Exchange): void {
      clearTimeout(waiting);
      signal?.removeEventListener('abort', giveUp);
      socket.destroy();
      resolve(result);
    }
    function fail(why: string): void {
      finish({ answer: null, why });
    }
    function deadline(ms: number, why: string): NodeJS.Timeout {
      return setTimeout(() => fail(why), ms);
    }
    function wait(ms: number): void {
      clearTimeout(waiting);
      waiting = deadline(ms, 'the daemon took too long to answer');
    }
    /** True when that was the last line of interest. */
    function take(text: Buffer): boolean {
      const heard = hear(text, requestId);
      if (heard.kind === 'hold') wait(heard.ms);
      if (heard.kind === 'answer') finish({ answer: heard.answer });
      if (heard.kind === 'failed') fail(heard.why);
      return heard.kind === 'answer' || heard.kind === 'failed';
    }

    socket.on('connect', () => {
      socket.write(line);
      wait(REPLY_MS);
    });
    socket.on('error', (error) => fail(`the daemon does not answer: ${error.message}`));
    socket.on('end', () => fail('the daemon hung up before it answered'));
    socket.on('data', (chunk: Buffer) => {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        received.push(chunk.subarray(from, end));
        if (take(Buffer.concat(received))) return;
        received = [];
        size = 0;
        from = end + 1;
      }
      received.push(chunk.subarray(from));
      size += chunk.length - from;
      if (size > MAX_LINE_BYTES) fail('the daemon sent a line without end');
    });
  });
}
