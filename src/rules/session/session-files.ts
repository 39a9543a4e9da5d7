import { resolve } from 'node:path';
import { type HookEvent, sessionKey } from '../../model/events.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import type { Before, Left, Origin } from '../../shell/analysis.ts';
import type { Facts, World } from '../facts.ts';
import { type Looked, SessionBefore } from './tracked.ts';

/**
 * Files that calls of a session leave behind, so that a key copied in one call and sent in the next is one flow, and a
 * script downloaded in one and run in another is code from the network. Kept only in memory, and only as origins of
 * bytes, never as content.
 */
export interface SessionFiles {
  /** Notes the files that a call leaves if it was not denied. */
  note(event: HookEvent, left: readonly Left[], now: number): void;
  /** What the session has left so far; null if nothing. */
  before(event: HookEvent, world: FileWorld, real: Facts['real']): SessionBefore | null;
  leave(event: HookEvent): void;
}

type FileWorld = Pick<World, 'now' | 'changedAt' | 'identityOf' | 'scriptText'>;

interface Known {
  readonly origins: readonly Origin[];
  readonly link: string | null;
  readonly at: number;
}

interface Session {
  readonly files: BoundedMap<string, Known>;
  version: number;
  hasLinks: boolean;
  /** When the first file was left. */
  readonly since: number;
  /** What is no longer known by name: nothing, files, or some from the network. */
  forgot: Forgotten;
}

/** Possible origins of a forgotten file; null while nothing is forgotten. */
type Forgotten = readonly Origin[] | null;

const REMEMBERED_SESSIONS = 200;
const REMEMBERED_FILES = 1_000;
const FETCHED: readonly Origin[] = [{ kind: 'network', host: null }];
const NO_ORIGINS: readonly Origin[] = [];
const MAX_ORIGINS = 12;
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/** File systems store coarser times than ours. */
const COARSE_MS = 2_000;

export function createSessionFiles(): SessionFiles {
  const sessions = new BoundedMap<string, Session>(REMEMBERED_SESSIONS);
  return {
    note(event, left, now) {
      if (left.length === 0) return;
      const key = sessionKey(event);
      const session = sessions.get(key) ?? {
        files: new BoundedMap(REMEMBERED_FILES),
        version: 0,
        hasLinks: false,
        since: now,
        forgot: null,
      };
      sessions.set(key, session);
      for (const { path, origins: all, link } of left) {
        const origins = all.slice(0, MAX_ORIGINS);
        if (!isSame(session.files.get(path), origins, link)) session.version += 1;
        session.hasLinks ||= link !== null;
        makeRoom(session, path);
        session.files.set(path, { origins, link, at: now });
      }
    },
    before(event, world, real) {
      const key = sessionKey(event);
      const session = sessions.get(key);
      if (!session) return null;
      const left = new LeftBefore(session, world, real);
      return new SessionBefore(left, `${key}\0${session.version}`, real);
    },
    leave(event) {
      sessions.delete(sessionKey(event));
    },
  };
}

/** Drops the oldest file and remembers that one was dropped: filling the memory must not make a script unknown. */
function makeRoom(session: Session, path: string): void {
  const { files } = session;
  if (files.size < REMEMBERED_FILES || files.has(path)) return;
  const [oldest] = files.values();
  const isFetched = oldest?.origins.some(({ kind }) => kind === 'network');
  session.forgot = isFetched ? FETCHED : (session.forgot ?? []);
}

/** Avoids an update, because agents repeat commands. */
function isSame(known: Known | undefined, origins: readonly Origin[], link: string | null): boolean {
  return (
    known !== undefined && known.link === link && JSON.stringify(known.origins) === JSON.stringify(origins)
  );
}

/**
 * Identity and change time of a file, or that there is none. The time alone is not enough: a program can change two
 * files in the same moment and swap them by moving their directories.
 */
export function stampOf(path: string, world: Pick<World, 'changedAt' | 'identityOf'>): string {
  const changed = world.changedAt?.(path) ?? null;
  return changed === null ? '' : `${changed}:${world.identityOf?.(path) ?? ''}`;
}

/** Files that a session has left. A class, so that methods are created once and not per call. */
class LeftBefore implements Before {
  readonly hasLinks: boolean;
  /** Created on the first lookup, because most lines look up nothing. */
  private seen: Map<string, string | null> | null = null;
  private found: Map<string, Known | null> | null = null;
  private readonly session: Session;
  private readonly world: FileWorld;
  private readonly real: Facts['real'];

  constructor(session: Session, world: FileWorld, real: Facts['real']) {
    this.hasLinks = session.hasLinks;
    this.session = session;
    this.world = world;
    this.real = real;
  }

  get looked(): Looked {
    return this.seen ?? NOTHING_LOOKED_AT;
  }

  originsOf(path: string): readonly Origin[] | undefined {
    return (this.at(path) ?? this.at(this.real(path)))?.origins;
  }

  /** Skips reading the file if the answer would be the same. */
  sourcesOf(path: string): readonly Origin[] {
    const mayHave = this.session.forgot?.length || this.isTraced(path) || this.isTraced(this.real(path));
    return (mayHave ? this.originsOf(path) : null) ?? NO_ORIGINS;
  }

  linkAt(path: string): string | undefined {
    return this.session.files.get(path)?.link == null ? undefined : (this.at(path)?.link ?? undefined);
  }

  isAbsent(path: string): boolean {
    return this.changedAt(path) === null;
  }

  paths(): Iterable<string> {
    return this.session.files.keys();
  }

  textOf(path: string): string | null {
    const file = this.real(path);
    this.changedAt(file);
    return this.world.scriptText?.(file) ?? null;
  }

  private changedAt(path: string): number | null {
    const changed = this.world.changedAt?.(path) ?? null;
    // Soon after a change, the next one may have the same time.
    const isSettled = changed === null || this.world.now() - changed > COARSE_MS;
    this.seen ??= new Map();
    this.seen.set(path, isSettled ? stampOf(path, this.world) : null);
    return changed;
  }

  private at(path: string): Known | null {
    const before = this.found?.get(path);
    if (before !== undefined) return before;
    const known = this.find(path);
    this.found ??= new Map();
    this.found.set(path, known);
    return known;
  }

  /** Files of a call count only if they changed since, because a person may have denied the call. */
  private find(path: string): Known | null {
    const { files, forgot, since } = this.session;
    const known = files.get(path) ?? (forgot && { origins: forgot, link: null, at: since });
    if (!known) return null;
    const changed = this.changedAt(path);
    if (this.world.now() - known.at > FORGOTTEN_AFTER_MS) return null;
    return changed !== null && changed + COARSE_MS >= known.at ? known : null;
  }

  private isTraced(path: string): boolean {
    return (this.session.files.get(path)?.origins.length ?? 0) > 0;
  }
}

const NOTHING_LOOKED_AT: Looked = new Map();

/** What a call leaves behind: files under their real paths, links under their own. */
export function filesLeftBy(facts: Facts): readonly Left[] {
  const files = facts.tool?.files ?? [];
  const before = files.length === 0 ? null : facts.memory.files.before(facts.event, facts.world, facts.real);
  const written = files.flatMap(({ op, path, to }): Left[] => {
    if (op === 'read' || op === 'delete') return [];
    const at = facts.cwd === null ? path : resolve(facts.cwd, path);
    // An edited or moved file keeps its origins.
    const origins = op === 'edit' || op === 'move' ? (before?.sourcesOf(at) ?? []) : [];
    return [
      { path: to === undefined || facts.cwd === null ? at : resolve(facts.cwd, to), origins, link: null },
    ];
  });
  return [...(facts.analysis()?.left ?? []), ...written]
    .filter(({ path }) => path.startsWith('/') && !path.startsWith('/dev/'))
    .map((left) => (left.link === null ? { ...left, path: facts.real(left.path) } : left));
}
