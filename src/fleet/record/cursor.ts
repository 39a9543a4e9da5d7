import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import type { Log } from '../../model/log.ts';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';

/** How far the record has reached the stream: everything up to there was acknowledged. */
export interface Cursor {
  /** The stream, by its name and when it was made: of another one this says nothing. */
  readonly stream: string;
  readonly machine: string;
  /** The last link, and its hash: a home that was restored from a copy may have another record there. */
  readonly link: number;
  readonly hash: string;
  /** The last checkpoint. */
  readonly checkpoint: number;
  /** Nothing that was sent later stands before this place in the stream. */
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
  /** Null where there is none, or none that can be read: then the stream itself is asked. */
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
        // It is known without the file, too, and costs only more reading.
        log('warning', `fleet: can't save how far the history was sent: ${messageOf(error)}`);
      }
    },
  };
}
