import * as v from 'valibot';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';

/** The policy that a machine accepted last, with what it was accepted for. */
interface AcceptedPolicy {
  readonly team: string;
  /** The key that was pinned then. */
  readonly key: string;
  /** Id of the machine. */
  readonly machine: string;
  /** As it came from the server. */
  readonly signed: string;
}

const acceptedSchema: v.GenericSchema<unknown, AcceptedPolicy> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ team: v.string(), key: v.string(), machine: v.string(), signed: v.string() }),
);

type ReadAccepted = { readonly accepted: AcceptedPolicy | null } | { readonly problem: string };

/** Null where none was ever accepted. */
export function readAccepted(path: string): ReadAccepted {
  const text = readOwnFile(path);
  if (text === null) return { accepted: null };
  const parsed = v.safeParse(acceptedSchema, text);
  return parsed.success ? { accepted: parsed.output } : { problem: 'it is not what was written' };
}

export function writeAccepted(path: string, policy: AcceptedPolicy): void {
  writePrivateFile(path, `${JSON.stringify(policy)}\n`, { durable: true });
}

/** What of the fleet's settings says which policy counts. Machines that joined before there were policies have neither. */
export const policyEntries = {
  groups: v.optional(v.array(v.string()), []),
  policyKey: v.optional(v.nullable(v.string()), null),
};
