import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { settledStamp } from '../../platform/files.ts';
import type { LoadedRules } from '../../rules/files/load.ts';
import { policyEntries, readAccepted } from './accepted.ts';
import { openPolicy, type PolicyDocument } from './document.ts';
import { parsePublicKey } from './keys.ts';
import { policyRules } from './rules.ts';

interface PolicyPaths {
  /** The settings of the fleet. */
  readonly fleet: string;
  /** The policy that was accepted last. */
  readonly fleetPolicy: string;
}

interface PolicySettings {
  readonly team: string;
  readonly groups: readonly string[];
  readonly policyKey: string | null;
}

const settingsSchema: v.GenericSchema<unknown, PolicySettings> = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ team: v.string(), ...policyEntries }),
);

const NOTHING: LoadedRules = { rules: [], problems: [] };

/**
 * The rules of the policy stored in a home, with or without a daemon and a server. Cheap enough for every call. If
 * the policy becomes unreadable, the last good one stays active and a problem is reported.
 */
export function openPolicyRules(paths: PolicyPaths): { load(): LoadedRules } {
  let stamps: readonly (string | null)[] = [];
  let texts: readonly (string | null)[] = [];
  let current = NOTHING;
  return {
    load() {
      const seen = [paths.fleet, paths.fleetPolicy].map(settledStamp);
      if (seen.every((stamp, at) => stamp !== null && stamp === stamps[at])) return current;
      stamps = seen;
      try {
        const found = [readOwnFile(paths.fleet), readOwnFile(paths.fleetPolicy)];
        if (found.every((text, at) => text === texts[at])) return current;
        texts = found;
        current = rulesNow(paths, current);
      } catch (error) {
        current = withProblem(current, paths.fleetPolicy, messageOf(error));
      }
      return current;
    },
  };
}

function rulesNow(paths: PolicyPaths, before: LoadedRules): LoadedRules {
  const found = activePolicy(paths);
  if ('problem' in found) return withProblem(before, found.where, found.problem);
  if (found.document === null) {
    // A person left the fleet or pinned another key. A missing file, however, was deleted by something else.
    return found.isGone && before.rules.length > 0
      ? withProblem(before, paths.fleetPolicy, 'it was deleted')
      : NOTHING;
  }
  return policyRules(found.document, { id: found.machine, groups: found.groups });
}

function withProblem({ rules }: LoadedRules, where: string, message: string): LoadedRules {
  return { rules, problems: [{ where, message: `can't read the fleet policy: ${message}` }] };
}

type Active =
  | { readonly problem: string; readonly where: string }
  | { readonly document: null; readonly isGone: boolean }
  | { readonly document: PolicyDocument; readonly machine: string; readonly groups: readonly string[] };

/** The active policy of this machine. Verified again with the pinned key, because nothing else makes it valid. */
export function activePolicy(paths: PolicyPaths): Active {
  try {
    return readActive(paths);
  } catch (error) {
    // Not a file, or far too large.
    return { where: paths.fleetPolicy, problem: messageOf(error) };
  }
}

function readActive({ fleet, fleetPolicy }: PolicyPaths): Active {
  const text = readOwnFile(fleet);
  if (text === null) return { document: null, isGone: false };
  const settings = v.safeParse(settingsSchema, text);
  if (!settings.success) return { where: fleet, problem: settings.issues[0].message };
  const { team, groups, policyKey } = settings.output;
  if (policyKey === null) return { document: null, isGone: false };
  const key = parsePublicKey(policyKey);
  if (key === null) return { where: fleet, problem: 'policyKey is not a key' };
  const read = readAccepted(fleetPolicy);
  if ('problem' in read) return { where: fleetPolicy, problem: read.problem };
  if (read.accepted === null) return { document: null, isGone: true };
  // From another fleet, or signed with a key that is no longer trusted.
  if (read.accepted.team !== team || read.accepted.key !== policyKey)
    return { document: null, isGone: false };
  const opened = openPolicy(read.accepted.signed, key, team);
  if ('refused' in opened) return { where: fleetPolicy, problem: opened.refused };
  return { document: opened.document, machine: read.accepted.machine, groups };
}
