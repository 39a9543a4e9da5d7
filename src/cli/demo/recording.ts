import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

const fields = v.record(v.string(), v.unknown());

/** One step of an agent: its payloads before the call, for the permission request and after the call. */
const step = v.strictObject({
  wait: v.number(),
  send: fields,
  ask: v.exactOptional(fields),
  took: v.exactOptional(v.number()),
  done: v.exactOptional(fields),
});

const schema = v.strictObject({
  agent: v.string(),
  /** The key of the arguments in a payload. */
  inputField: v.string(),
  common: fields,
  steps: v.array(step),
});

/** A recorded session, with placeholders for names of this machine. */
export type Recording = v.InferOutput<typeof schema>;
export type Step = v.InferOutput<typeof step>;

// In the build, this directory is next to the bundle, as it is here.
const FOLDER: URL = new URL('./recordings/', import.meta.url);

/** All recordings, with the placeholders filled in. */
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
        // Inside JSON, backslashes of a path are doubled.
        values[key] === undefined ? all : JSON.stringify(values[key]).slice(1, -1),
      );
      return v.parse(schema, JSON.parse(filled));
    });
}
