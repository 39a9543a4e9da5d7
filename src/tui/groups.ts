import type { ShownApproval } from '../approvals/approval.ts';
import { counted } from '../model/text.ts';
import { badgeOf } from './labels.ts';

/** Approvals of identical calls: one entry, and one answer for all of them. */
export interface RequestGroup {
  readonly key: string;
  /** The first to expire. */
  readonly first: ShownApproval;
  readonly all: readonly ShownApproval[];
  readonly ids: readonly string[];
}

/** Soonest to expire first. */
export function groupRequests(pending: readonly ShownApproval[]): readonly RequestGroup[] {
  const groups = new Map<string, ShownApproval[]>();
  for (const approval of [...pending].sort((a, b) => a.expiresAt - b.expiresAt)) {
    const group = groups.get(approval.group);
    if (group) group.push(approval);
    else groups.set(approval.group, [approval]);
  }
  return [...groups].flatMap(([key, all]) =>
    all[0] ? [{ key, first: all[0], all, ids: all.map(({ id }) => id) }] : [],
  );
}

/** Where an approval comes from: the directory, and the branch if one is checked out. */
interface Place {
  readonly repo: string;
  readonly branch: string;
}

const SEPARATOR = ' · ';

export function placeOf({ place, cwd }: ShownApproval): Place {
  const at = place.indexOf(SEPARATOR);
  if (at >= 0) return { repo: place.slice(0, at), branch: place.slice(at + SEPARATOR.length) };
  return { repo: place || cwd || 'no project', branch: '' };
}

/** The source of an approval in a list: `CX` and its place, or `×3` and the number of sessions and repositories. */
export function groupSource({ first, all }: RequestGroup): { readonly badge: string } & Place {
  if (all.length === 1) return { badge: badgeOf(first.source), ...placeOf(first) };
  const sessions = new Set(all.map(({ source, sessionId }) => `${source}/${sessionId}`)).size;
  const repos = new Set(all.map((one) => placeOf(one).repo));
  const [repo = ''] = repos;
  const where = repos.size === 1 ? repo : `${repos.size} repos`;
  return {
    badge: `×${all.length}`,
    repo: `${sessions === 1 ? counted(all.length, 'call') : counted(sessions, 'session')}, ${where}`,
    branch: '',
  };
}
