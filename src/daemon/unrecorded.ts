import { messageOf } from '../model/errors.ts';
import type { CallRecord } from '../model/recording.ts';
import { effectsOf, isRefusal } from '../model/responses.ts';
import { fileFault } from '../store/database/driver.ts';

/** Queue of calls that couldn't be recorded yet. */
export interface Unrecorded {
  /** Records a call. A denial stands without a record; for any other decision this throws. */
  commit(record: CallRecord): Promise<boolean>;
  /** Tries queued calls again. */
  retry(): void;
  count(): UnrecordedCount;
}

interface UnrecordedCount {
  readonly waiting: number;
  /** Number of calls that didn't fit in memory, or can't be stored at all. */
  readonly dropped: number;
}

interface UnrecordedParts {
  /** Resolves once the call is durable. */
  commitSoon(record: CallRecord): Promise<boolean>;
  commit(record: CallRecord): boolean;
  /** The first of several calls couldn't be recorded. */
  began(why: string): void;
  /** All of them are recorded now. */
  ended(count: number): void;
  readonly mostCharacters?: number;
}

interface Waiting {
  readonly record: CallRecord;
  /** In characters. */
  readonly length: number;
}

const MOST_CHARACTERS = 16 << 20;
const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'];

/** A full disk must neither disable a rule nor lose its denials. */
export function openUnrecordedQueue(parts: UnrecordedParts): Unrecorded {
  const { mostCharacters = MOST_CHARACTERS } = parts;
  const waiting: Waiting[] = [];
  let characters = 0;
  let dropped = 0;
  let recorded = 0;

  const keep = (record: CallRecord, why: string) => {
    if (waiting.length === 0) parts.began(why);
    const { length } = JSON.stringify(record);
    if (characters + length > mostCharacters) {
      dropped += 1;
      return;
    }
    characters += length;
    waiting.push({ record, length });
  };

  return {
    async commit(record) {
      try {
        return await parts.commitSoon(record);
      } catch (error) {
        if (!isOutOfSpace(error)) throw error;
        const stands = isRefusal(record.response);
        keep(stands ? record : unanswered(record), messageOf(error));
        if (!stands) throw error;
        return false;
      }
    },
    retry() {
      if (waiting.length === 0) return;
      for (let next = waiting[0]; next; next = waiting[0]) {
        const outcome = commitNow(parts, next.record);
        if (outcome === 'full') return;
        waiting.shift();
        characters -= next.length;
        if (outcome === 'stored') recorded += 1;
        else dropped += 1;
      }
      parts.ended(recorded);
      recorded = 0;
    },
    count: () => ({ waiting: waiting.length, dropped }),
  };
}

/** If lack of space isn't the reason, storing will never work. */
function commitNow({ commit }: UnrecordedParts, record: CallRecord): 'stored' | 'full' | 'impossible' {
  try {
    commit(record);
    return 'stored';
  } catch (error) {
    return isOutOfSpace(error) ? 'full' : 'impossible';
  }
}

function isOutOfSpace(error: unknown): boolean {
  if (fileFault(error) === 'unwritable') return true;
  return error instanceof Error && 'code' in error && NO_SPACE.includes(error.code);
}

/** The decision didn't reach the agent from here. */
function unanswered(record: CallRecord): CallRecord {
  const reason = 'The disk is full, and Hookline answers only calls it can record.';
  const lost = effectsOf(record.response).map((effect) => ({ effect, reason }));
  return { ...record, degraded: [...record.degraded, ...lost] };
}
