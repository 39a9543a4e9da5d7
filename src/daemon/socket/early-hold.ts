import * as v from 'valibot';
import { parseJson } from '../../model/json.ts';
import { FIRST_REPLY_MS, MAX_REQUEST_ID_CHARS } from '../../wire/limits.ts';
import type { Reply } from '../../wire/protocol.ts';
import type { WhenBusy } from './busy.ts';

/** Tells the sender of a slow or large line that it isn't forgotten. */
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
/** The part before the payload is never this long. */
const MOST_HEAD_BYTES = 64 << 10;

/** The request ID of an incomplete line; null if its sender doesn't say that it can wait. */
export function waitingRequestIn(beginning: Buffer): string | null {
  const end = beginning.subarray(0, MOST_HEAD_BYTES).indexOf(PAYLOAD);
  if (end === -1) return null;
  // The envelope comes before the payload. If this was the end of a nested object instead, the text isn't valid JSON.
  const found = v.safeParse(head, parseJson(`${beginning.toString('utf8', 0, end)}}`));
  if (!found.success) return null;
  const { request_id, accepts } = found.output;
  return accepts.includes('hold_ms') || accepts.includes('busy') ? request_id : null;
}

/** Sends a hold at once, then as often as necessary. Null for a sender that wouldn't understand it. */
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
