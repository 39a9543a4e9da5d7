import * as v from 'valibot';
import type { Database } from '../database/driver.ts';

const timed = v.object({
  kind: v.picklist(['rule', 'hook', 'approval', 'failure']),
  by: v.string(),
  tookMs: v.number(),
});

/** Opinions with a known duration since a time, without the rest of their events. */
export function timedOpinions(db: Database, since: number): v.InferOutput<typeof timed>[] {
  const rows = db
    .prepare(`SELECT opinions FROM events WHERE timestamp >= ? AND opinions LIKE '%"tookMs"%'`)
    .all(since);
  return rows.flatMap(({ opinions }) => {
    const list = v.safeParse(v.pipe(v.string(), v.parseJson(), v.array(v.unknown())), opinions);
    return list.success ? list.output.filter((one) => v.is(timed, one)) : [];
  });
}
