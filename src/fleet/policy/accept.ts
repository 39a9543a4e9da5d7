import type { FleetContext, FleetHome } from '../part.ts';
import { writeAccepted } from './accepted.ts';
import { activePolicy } from './active-policy.ts';
import { problemWith } from './check.ts';
import { openPolicy } from './document.ts';
import { parsePublicKey } from './keys.ts';

type Outcome =
  | { readonly version: number; readonly isNew: boolean }
  | { readonly version: number | null; readonly refused: string; readonly fix: string };

const ASK = 'Ask the fleet administrator. The previous policy stays active.';

interface AcceptingMachine extends Pick<FleetContext, 'settings' | 'machine'> {
  readonly home: Pick<FleetHome, 'paths'>;
}

/** Stores a policy, which makes it active, or returns why it was rejected. */
export async function acceptPolicy(
  text: string,
  { home, settings, machine }: AcceptingMachine,
): Promise<Outcome> {
  const { policyKey, team } = settings;
  const key = policyKey === null ? null : parsePublicKey(policyKey);
  if (policyKey === null || key === null)
    return {
      version: null,
      refused: 'this machine trusts no policy key yet',
      fix: 'Get the key from the fleet administrator, and run `hookline fleet trust <key>`.',
    };
  const opened = openPolicy(text, key, team);
  if ('refused' in opened) return { version: null, refused: opened.refused, fix: ASK };
  const { document, signed } = opened;
  const { version } = document;
  const refused = (why: string): Outcome => ({ version, refused: why, fix: ASK });

  const current = activePolicy(home.paths);
  const last = 'document' in current && current.document ? current.document : null;
  if (last !== null && version === last.version)
    return isSame(document, last)
      ? { version, isNew: false }
      : refused(`two different policies have version ${version}`);
  if (last !== null && version < last.version)
    return refused(`version ${version} is older than the active version ${last.version}`);
  const problem = await problemWith(document);
  if (problem !== null) return refused(`version ${version}: ${problem}`);
  writeAccepted(home.paths.fleetPolicy, { team, key: policyKey, machine: machine.id, signed });
  return { version, isNew: true };
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
