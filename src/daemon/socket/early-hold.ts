import * as v from 'valibot';
import { parseJson } from '../../model/json.ts';
import { FIRST_REPLY_MS, MAX_REQUEST_ID_CHARS } from '../../wire/limits.ts';
import type { Reply } from '../../wire/protocol.ts';
import type { WhenBusy } from './busy.ts';

/** Tells the sender of a line that takes long to come in, or to be read, that it is not forgotten. */
export interface EarlyHold {
  /** Until when the sender waits for us, in ms since the epoch. */
  until(): number;
  stop(): void;
}

const head = v.looseObject({
  request_id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_REQUEST_ID_CHARS)),
  accepts: v.array(v.string()),
});

const PAYLOAD = Buffer.from(',"payload":');
/** What stands before the payload is never as long. */
const MOST_HEAD_BYTES = 64 << 10;

/** The request of a line of which only the beginning is there; null where its sender does not say that it can wait. */
export function waitingRequestIn(beginning: Buffer): string | null {
  const end = beginning.subarray(0, MOST_HEAD_BYTES).indexOf(PAYLOAD);
  if (end === -1) return null;
  // The envelope stands before the payload. Where this was not its end but that of an object in it, it is not JSON.
  const found = v.safeParse(head, parseJson(`${beginning.toString('utf8', 0, end)}}`));
  if (!found.success) return null;
  const { request_id, accepts } = found.output;
  return accepts.includes('hold_ms') || accepts.includes('busy') ? request_id : null;
}

/** Says so at once, and then as often as it takes. Null for a sender that would not understand. */
export function holdEarly(
  beginning: Buffer,
  still: WhenBusy,
  send: (reply: Reply) => void,
): EarlyHold | null {
  const id = waitingRequestIn(beginning);
  if (id === null) return null;
  let until = 0;
  let stop = () => {};
  const speakUp = () => {
    until = Date.now() + FIRST_REPLY_MS;
    send({ request_id: id, hold_ms: FIRST_REPLY_MS });
    stop = still(speakUp);
  };
  speakUp();
  return { until: () => until, stop: () => stop() };
}
