import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const fields = v.record(v.string(), v.unknown());

/** One thing an agent does: what it sends before, what it sends when it asks its user, what it sends after. */
const step = v.strictObject({
  wait: v.number(),
  send: fields,
  ask: v.exactOptional(fields),
  took: v.exactOptional(v.number()),
  done: v.exactOptional(fields),
});

const schema = v.strictObject({
  agent: v.string(),
  /** Where payloads have the arguments of a call. */
  inputField: v.string(),
  common: fields,
  steps: v.array(step),
});

/** A session of an agent as its payloads came, with names in the place of what is of this machine. */
export type Recording = v.InferOutput<typeof schema>;
export type Step = v.InferOutput<typeof step>;

// The build puts the bundle and this folder side by side, as they are here.
const FOLDER: URL = new URL('./recordings/', import.meta.url);

/** All recordings, with the names in them filled in. */
export function readRecordings(
  fill: (agent: string) => Readonly<Record<string, string>>,
): readonly Recording[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, FOLDER), 'utf8');
      const values = fill(name.replace('.json', ''));
      const filled = text.replaceAll(/\$([A-Z]+)/g, (all, key: string) =>
        // Within JSON a path may need its backslashes doubled.
        values[key] === undefined ? all : JSON.stringify(values[key]).slice(1, -1),
      );
      return v.parse(schema, JSON.parse(filled));
    });
}
