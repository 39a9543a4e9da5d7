import { type HookEvent, projectFolderOf, sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Facts } from '../facts.ts';

/** What two sessions can conflict over. */
export type Conflict = 'file' | 'branch';

/** Recent writes of all sessions and agents. */
export interface WriteConflicts {
  /** Records writes of this session. */
  note(event: HookEvent, places: readonly string[], now: number): void;
  /** True if another session has written one of them within this many ms. */
  isElsewhere(event: HookEvent, places: readonly string[], withinMs: number, now: number): boolean;
  /** Forgets an ended session, which can't conflict any more. */
  leave(event: HookEvent): void;
}

const REMEMBERED_PLACES = 5_000;

export function createWriteConflicts(): WriteConflicts {
  const places = new BoundedMap<string, Map<string, number>>(REMEMBERED_PLACES);

  function note(event: HookEvent, written: readonly string[], now: number): void {
    for (const place of written) {
      const sessions = places.get(place) ?? new Map<string, number>();
      places.set(place, sessions.set(sessionKey(event), now));
    }
  }

  return {
    note,
    isElsewhere(event, written, withinMs, now) {
      const own = sessionKey(event);
      return written.some((place) =>
        [...(places.get(place) ?? [])].some(([session, at]) => session !== own && now - at <= withinMs),
      );
    },
    leave(event) {
      for (const sessions of places.values()) sessions.delete(sessionKey(event));
    },
  };
}

/** Git commands that change what a branch or its worktree holds. */
const CHANGING: ReadonlySet<string> = new Set([
  'add',
  'am',
  'apply',
  'branch',
  'checkout',
  'cherry-pick',
  'clean',
  'commit',
  'merge',
  'mv',
  'pull',
  'push',
  'rebase',
  'reset',
  'restore',
  'revert',
  'rm',
  'stash',
  'switch',
  'update-ref',
]);

/** The places that a call is about to write, of one sort. */
export function placesWritten(facts: Facts, sort: Conflict): readonly string[] {
  const written = facts.effects().filter(({ access }) => access === 'write' || access === 'delete');
  if (sort === 'file') {
    return written.flatMap(({ touched: { path, glob } }) =>
      path === null || glob ? [] : [`file\0${facts.real(path)}`],
    );
  }
  const { cwd } = facts.event;
  const project = projectFolderOf(facts.event);
  if (cwd === null || project === null) return [];
  const inTree = written.some(({ touched: { path } }) => path?.startsWith(`${project}/`));
  const changes = facts
    .effects()
    .some(({ tags: [kind, action = ''] }) => kind === 'vcs' && CHANGING.has(action));
  return inTree || changes ? [`branch\0${project}\0${facts.branchOf(cwd) ?? ''}`] : [];
}
