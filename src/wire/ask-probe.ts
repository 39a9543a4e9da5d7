import { exchange, type Refused } from './exchange.ts';
import { refusalOf, socketOwner } from './impostor.ts';
import { FIRST_REPLY_MS } from './limits.ts';
import { PROBE } from './probe.ts';
import { newRequestId, requestLine } from './request.ts';
import { socketPath } from './socket-path.ts';

/** True if a process behind this socket answers a probe in time. The probe isn't recorded. */
export async function answersProbe(
  socket: string,
  timeoutMs: number = FIRST_REPLY_MS,
  refuse: () => Refused | null = () => null,
): Promise<boolean> {
  const ts = Date.now();
  const id = newRequestId(ts);
  const line = requestLine({ id, ts, ...PROBE, env: {}, stdin: { bytes: Buffer.from('{}'), total: 2 } });
  const { answer } = await exchange(socket, line, id, { firstReplyMs: timeoutMs, refuse });
  return answer !== null;
}

/** The same, accepting only the daemon of the home. */
export function daemonAnswersProbe(home: string, timeoutMs?: number): Promise<boolean> {
  const socket = socketPath(home);
  return answersProbe(socket, timeoutMs, () => refusalOf(socketOwner(home, socket)));
}
