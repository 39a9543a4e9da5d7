import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import { EVENT_TYPES } from '../../model/events.ts';
import { parseJson } from '../../model/json.ts';
import type { Log } from '../../model/log.ts';
import type { CallRecord, Recorder } from '../../model/recording.ts';
import { readRegularText } from '../../platform/bounded-files.ts';

const tool = v.looseObject({
  name: v.string(),
  kind: v.string(),
  useId: v.nullable(v.string()),
  command: v.nullable(v.string()),
  files: v.array(v.looseObject({ path: v.string() })),
});
const textOrNull = v.nullable(v.string());

/** Our own format, written by the same or a similar version: validates just enough to store it safely. */
const spooled = v.looseObject({
  event: v.looseObject({
    id: v.string(),
    type: v.picklist(EVENT_TYPES),
    source: v.string(),
    nativeEvent: v.string(),
    sessionId: v.string(),
    timestamp: v.number(),
    cwd: textOrNull,
    machineId: textOrNull,
    userId: textOrNull,
    projectId: textOrNull,
    agentId: textOrNull,
    metadata: v.record(v.string(), v.unknown()),
    tool: v.optional(tool),
  }),
  response: v.looseObject({ decision: v.picklist(['none', 'allow', 'deny', 'ask']) }),
  opinions: v.array(v.looseObject({ kind: v.string(), by: v.string() })),
  degraded: v.array(v.unknown()),
  answer: v.looseObject({ action: v.string() }),
  latencyMs: v.number(),
  delivered: v.array(v.number()),
  deferred: v.nullable(v.string()),
});

/**
 * Stores every spooled call, oldest first, and deletes its file afterwards. Returns their ids. A call that fails doesn't
 * block the others: this runs before a daemon can answer, and while it does.
 */
export function ingestSpool(folder: string, recorder: Recorder, log: Log): readonly string[] {
  const taken: string[] = [];
  for (const name of spoolFiles(folder, log)) {
    const path = join(folder, name);
    try {
      const record = readRecord(path);
      if (record) {
        // If it is already stored, we died between commit and deletion, or the daemon had it after all.
        recorder.commit({ ...record, event: recorder.place(record.event) });
        rmSync(path, { force: true });
        taken.push(record.event.id);
      } else {
        renameSync(path, `${path}.bad`);
        log('error', "a spooled call can't be read and was moved aside", { path: `${path}.bad` });
      }
    } catch (error) {
      const why = messageOf(error);
      log('error', `a spooled call can't be recorded and stays in the spool: ${why}`, { path });
    }
  }
  return taken;
}

function spoolFiles(folder: string, log: Log): string[] {
  try {
    const names = readdirSync(folder);
    return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  } catch (error) {
    log('error', `can't read the spool: ${messageOf(error)}`, { folder });
    return [];
  }
}

/** Null for a file that isn't a record and won't become one. */
function readRecord(path: string): CallRecord | null {
  const value = parseJson(readRegularText(path));
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is CallRecord {
  return v.is(spooled, value);
}
