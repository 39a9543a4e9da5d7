import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CallRecord, Recorder } from '../engine/record.ts';
import { EVENT_TYPES } from '../model/events.ts';
import type { Log } from './log.ts';

/** Our own format, written by the same version or a near one: enough is checked to be sure that it is a record. */
const spooled = v.looseObject({
  event: v.looseObject({
    id: v.string(),
    type: v.picklist(EVENT_TYPES),
    source: v.string(),
    sessionId: v.string(),
    timestamp: v.number(),
  }),
  response: v.looseObject({ decision: v.picklist(['none', 'allow', 'deny', 'ask']) }),
  opinions: v.array(v.unknown()),
  degraded: v.array(v.unknown()),
  answer: v.looseObject({ action: v.string() }),
  latencyMs: v.number(),
  delivered: v.array(v.number()),
  deferred: v.nullable(v.string()),
});

/** Takes in every spooled call, oldest first, and deletes its file once it is stored. Says how many there were. */
export function ingestSpool(folder: string, recorder: Recorder, log: Log): number {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .sort();
  let taken = 0;
  for (const name of names) {
    const path = join(folder, name);
    const record = readRecord(path);
    if (!record) {
      log('error', 'a spooled call cannot be read and was put aside', { path: `${path}.bad` });
      renameSync(path, `${path}.bad`);
      continue;
    }
    // Stored already means that we died between the commit and the deletion, or that the daemon had it after all.
    recorder.commit({ ...record, event: recorder.place(record.event) });
    rmSync(path, { force: true });
    taken += 1;
  }
  return taken;
}

function readRecord(path: string): CallRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is CallRecord {
  return v.is(spooled, value);
}
