import * as v from 'valibot';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';

/** The policy last accepted by a machine, and the conditions then. */
interface AcceptedPolicy {
  readonly team: string;
  /** The key pinned at that time. */
  readonly key: string;
  /** ID of the machine. */
  readonly machine: string;
  /** As received from the server. */
  readonly signed: string;
}

const acceptedSchema: v.GenericSchema<unknown, AcceptedPolicy> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ team: v.string(), key: v.string(), machine: v.string(), signed: v.string() }),
);

type ReadAccepted = { readonly accepted: AcceptedPolicy | null } | { readonly problem: string };

/** Null if none was ever accepted. */
export function readAccepted(path: string): ReadAccepted {
  const text = readOwnFile(path);
  if (text === null) return { accepted: null };
  const parsed = v.safeParse(acceptedSchema, text);
  return parsed.success ? { accepted: parsed.output } : { problem: 'it is not what was written' };
}

export function writeAccepted(path: string, policy: AcceptedPolicy): void {
  writePrivateFile(path, `${JSON.stringify(policy)}\n`, { durable: true });
}

/** Fleet settings that determine the policy. Machines that joined before policies existed have neither. */
export const policyEntries = {
  groups: v.optional(v.array(v.string()), []),
  policyKey: v.optional(v.nullable(v.string()), null),
};
