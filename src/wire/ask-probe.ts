import { exchange } from './exchange.ts';
import { FIRST_REPLY_MS } from './limits.ts';
import { PROBE } from './probe.ts';
import { newRequestId, requestLine } from './request.ts';

/** Whether somebody behind this socket answers a probe in time. Nothing of it is recorded. */
export async function answersProbe(socket: string, timeoutMs: number = FIRST_REPLY_MS): Promise<boolean> {
  const ts = Date.now();
  const id = newRequestId(ts);
  const line = requestLine({ id, ts, ...PROBE, env: {}, stdin: { bytes: Buffer.from('{}'), total: 2 } });
  const { answer } = await exchange(socket, line, id, { firstReplyMs: timeoutMs });
  return answer !== null;
}
