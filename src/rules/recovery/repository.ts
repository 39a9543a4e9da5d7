import { rememberPer } from '../../platform/bounded.ts';
import type { Facts } from '../facts.ts';
import type { Uncommitted } from '../world/uncommitted.ts';

const MOST_REPOSITORIES = 4;
const asked = rememberPer((_: Facts) => new Map<string, Uncommitted | null>());

/** Git's status of the repository around a real directory, computed once per repository and call. */
export function repositoryOf(folder: string, facts: Facts): Uncommitted | null {
  const { world } = facts;
  const root = world.treeRoot?.(folder) ?? null;
  if (root === null) return null;
  const known = asked(facts);
  const before = known.get(root);
  if (before !== undefined || known.size >= MOST_REPOSITORIES) return before ?? null;
  const state = world.uncommittedIn?.(root) ?? null;
  known.set(root, state);
  return state;
}
