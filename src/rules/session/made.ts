import { type EventOf, type HookEvent, isToolEvent, sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Facts, Found, World } from '../facts.ts';
import { callKey } from './call-key.ts';
import { stampOf } from './session-files.ts';

type Seen = Pick<World, 'changedAt' | 'identityOf'>;

/**
 * Files that calls of a session created, each as its call left it. A file that changes between calls no longer counts
 * as the session's to delete.
 */
export interface MadeFiles {
  /** Announces what a call will do unless it is denied. */
  expect(event: HookEvent, making: Making): void;
  /** The call is over: what exists now is its result. */
  settle(event: EventOf<'after_tool'>, seen: Seen): void;
  /** True if the session created it and only the session changed it. */
  isMade(event: HookEvent, path: string, seen: Seen): boolean;
  leave(event: HookEvent): void;
}

/** By real paths. */
interface Making {
  /** Paths that are absent or the session's own, and may exist afterwards. */
  readonly paths: readonly string[];
  /** Files read that are not the session's own. If one is gone afterwards, it may have been renamed. */
  readonly sources: readonly string[];
}

interface Session {
  /** Stamp of each created file, by path. */
  readonly made: BoundedMap<string, string>;
  /** Running calls. */
  readonly making: BoundedMap<string, Making>;
}

const REMEMBERED_SESSIONS = 200;
const REMEMBERED_FILES = 1_000;
const REMEMBERED_CALLS = 100;

export function createMadeFiles(): MadeFiles {
  const sessions = new BoundedMap<string, Session>(REMEMBERED_SESSIONS);
  return {
    expect(event, making) {
      if (making.paths.length === 0) return;
      const key = sessionKey(event);
      const session = sessions.get(key) ?? {
        made: new BoundedMap(REMEMBERED_FILES),
        making: new BoundedMap(REMEMBERED_CALLS),
      };
      sessions.set(key, session);
      session.making.set(useOf(event), making);
    },
    settle(event, seen) {
      const session = sessions.get(sessionKey(event));
      const making = session?.making.get(useOf(event));
      if (!session || !making) return;
      session.making.delete(useOf(event));
      if (event.tool.outcome === 'denied') return;
      const isTaken = making.sources.some((path) => stampOf(path, seen) === '');
      for (const path of making.paths) {
        const stamp = isTaken ? '' : stampOf(path, seen);
        if (stamp === '') session.made.delete(path);
        else session.made.set(path, stamp);
      }
    },
    isMade(event, path, seen) {
      const left = sessions.get(sessionKey(event))?.made.get(path);
      return left !== undefined && stampOf(path, seen) === left;
    },
    leave(event) {
      sessions.delete(sessionKey(event));
    },
  };
}

/** Not every agent numbers its calls. */
function useOf(event: HookEvent): string {
  return (isToolEvent(event) ? event.tool.useId : null) ?? callKey(event);
}

/** What a call may create, computed before it runs. */
export function makingOf(facts: Facts): Making {
  const { event, memory, real, world } = facts;
  const effects = facts.effects();
  if (!effects.some(({ access }) => access === 'write')) return NOTHING;
  const isOwn = (path: string) => memory.made.isMade(event, path, world);
  const written = namedBy(effects, ['write'], real);
  const isAbsent = (path: string) => world.isAbsent?.(path) === true;
  const paths = written.filter((path) => isOwn(path) || isAbsent(path));
  // A file deleted by a pattern may live on under a new name.
  if (paths.length === 0 || effects.some(takesUnnamed)) return NOTHING;
  const read = namedBy(effects, ['read', 'delete'], real);
  return { paths, sources: read.filter((path) => !isOwn(path) && !isAbsent(path)) };
}

const NOTHING: Making = { paths: [], sources: [] };

const isNamed = ({ touched: { path, glob } }: Found) => !glob && path?.startsWith('/') === true;
const takesUnnamed = (one: Found) => one.access === 'delete' && !isNamed(one);

function namedBy(
  effects: readonly Found[],
  accesses: readonly Found['access'][],
  real: Facts['real'],
): readonly string[] {
  const named = effects.filter((one) => accesses.includes(one.access) && isNamed(one));
  return [...new Set(named.map(({ touched }) => real(touched.path ?? '')))];
}
