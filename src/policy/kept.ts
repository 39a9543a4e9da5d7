import * as v from 'valibot';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writePrivateFile } from '../platform/files.ts';

/** The policy that a machine accepted last, with what it was accepted for. */
interface KeptPolicy {
  readonly team: string;
  /** The key that was pinned then. */
  readonly key: string;
  /** Id of the machine. */
  readonly machine: string;
  /** As it came from the server. */
  readonly signed: string;
}

const keptSchema: v.GenericSchema<unknown, KeptPolicy> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ team: v.string(), key: v.string(), machine: v.string(), signed: v.string() }),
);

type ReadKept = { readonly kept: KeptPolicy | null } | { readonly problem: string };

/** Null where none was ever accepted. */
export function readKept(path: string): ReadKept {
  const text = readOwnFile(path);
  if (text === null) return { kept: null };
  const parsed = v.safeParse(keptSchema, text);
  return parsed.success ? { kept: parsed.output } : { problem: 'it is not what was written' };
}

export function writeKept(path: string, kept: KeptPolicy): void {
  writePrivateFile(path, `${JSON.stringify(kept)}\n`, { durable: true });
}

/** What of the fleet's settings says which policy counts. Machines that joined before there were policies have neither. */
export const policyEntries = {
  groups: v.optional(v.array(v.string()), []),
  policyKey: v.optional(v.nullable(v.string()), null),
};
