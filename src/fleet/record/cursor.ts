import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';

/** How far the history was sent to the stream: everything up to this position was acknowledged. */
export interface Cursor {
  /** Name and creation time of the stream; the cursor is invalid for another one. */
  readonly stream: string;
  readonly machine: string;
  /** The last link and its hash, because a home restored from a copy may have another record there. */
  readonly link: number;
  readonly hash: string;
  /** The last checkpoint. */
  readonly checkpoint: number;
  /** Everything sent later has a higher position in the stream. */
  readonly sequence: number;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    stream: v.string(),
    machine: v.string(),
    link: count,
    hash: v.string(),
    checkpoint: count,
    sequence: count,
  }),
);

export interface CursorFile {
  /** Null if it is missing or unreadable; then the stream itself is queried. */
  read(): Cursor | null;
  write(cursor: Cursor): void;
}

export function openCursorFile(path: string, log: Log): CursorFile {
  return {
    read() {
      try {
        const parsed = v.safeParse(stored, readOwnFile(path) ?? '');
        return parsed.success ? parsed.output : null;
      } catch {
        return null;
      }
    },
    write(cursor) {
      try {
        writePrivateFile(path, `${JSON.stringify(cursor)}\n`);
      } catch (error) {
        // The position can be found without the file, at the cost of more reading.
        log('warning', `fleet: can't save how far the history was sent: ${messageOf(error)}`);
      }
    },
  };
}
