import * as v from 'valibot';
import { HooklineError } from '../model/errors.ts';
import { readIfExists, settledStamp, writePrivateFile } from '../platform/files.ts';
import { createLastGood, type LastGood } from '../platform/last-good.ts';
import { GRANT_SCOPES, hashOf, type StandingGrant } from './grant.ts';

const text = v.nullable(v.string());
const schema = v.array(
  v.object({
    id: v.string(),
    behavior: v.picklist(['allow', 'deny']),
    scope: v.picklist(GRANT_SCOPES),
    key: v.string(),
    text: v.string(),
    covers: v.optional(v.nullable(v.string()), null),
    sessionId: text,
    project: text,
    branch: text,
    cwd: text,
    place: v.optional(text, null),
    createdAt: v.string(),
    expiresAt: text,
    by: v.string(),
    eventId: text,
  }),
);

/** Grants in a file of the home, so that they apply without a daemon too. */
export interface GrantFile {
  /** Read again if the file changed. If it is unreadable, its earlier denials still apply. */
  list(): readonly StandingGrant[];
  /** The problem with the file; null if it is readable. */
  problem(): GrantProblem | null;
  /** Grants of an older version that cover more than one call. They aren't applied. */
  outdated(): readonly StandingGrant[];
  /** Throws for an unreadable file, which may contain denials. */
  add(grant: StandingGrant): void;
  /** The deleted grant, outdated or not; null if there was none. */
  revoke(id: string): StandingGrant | null;
}

interface GrantProblem {
  readonly where: string;
  readonly message: string;
  /** It may have contained denials that are now unknown. */
  readonly isLost: boolean;
}

export function openGrants(path: string, lastGood: LastGood = createLastGood()): GrantFile {
  let known: ({ readonly stamp: string | null } & Stored) | null = null;

  function stored(): Stored {
    const stamp = settledStamp(path);
    if (stamp === '') {
      if (known) lastGood.forget(path);
      known = null;
      return NOTHING;
    }
    if (stamp === null || known?.stamp !== stamp) known = { stamp, ...read(path, lastGood) };
    return known;
  }

  function write(all: readonly (Parsed | StandingGrant)[]): void {
    writePrivateFile(path, `${JSON.stringify(all, null, 2)}\n`);
    known = null;
  }

  /** Everything in the file, including outdated grants, which only a person deletes. */
  function writable(): readonly Parsed[] {
    const { all } = stored();
    if (all) return all;
    throw new HooklineError('CONFIG_INVALID', `Can't read ${path}, so it was not changed.`, {
      hint: 'It may contain denials. Fix its JSON, or move it away.',
    });
  }

  return {
    list: () => stored().grants,
    outdated: () => stored().outdated,
    problem: () => stored().problem,
    add: (grant) => write([...writable(), grant]),
    revoke(id) {
      const all = writable();
      const gone = all.find((grant) => grant.id === id);
      if (!gone) return null;
      write(all.filter((grant) => grant !== gone));
      return withCover(gone);
    },
  };
}

interface Stored {
  /** As stored in the file; null if it is unreadable. */
  readonly all: readonly Parsed[] | null;
  readonly grants: readonly StandingGrant[];
  readonly outdated: readonly StandingGrant[];
  readonly problem: GrantProblem | null;
}

const NOTHING: Stored = { all: [], grants: [], outdated: [], problem: null };

const fileText = v.pipe(v.string(), v.parseJson(), schema);

function read(path: string, lastGood: LastGood): Stored {
  const all = parsedFile(path);
  if (all === null) return unreadable(path, lastGood);
  const outdated = all.filter(isOutdated);
  const grants = all.filter((grant) => !outdated.includes(grant));
  lastGood.keep(path, { [REFUSALS]: JSON.stringify(all.filter(isRefusal)) });
  return { all, grants: grants.map(withCover), outdated: outdated.map(withCover), problem: null };
}

function parsedFile(path: string): readonly Parsed[] | null {
  try {
    const parsed = v.safeParse(fileText, readIfExists(path) ?? '[]');
    return parsed.success ? parsed.output : null;
  } catch {
    // It exists, but it is unreadable or not a file.
    return null;
  }
}

const REFUSALS = 'refusals';
const isRefusal = ({ behavior }: Pick<Parsed, 'behavior'>) => behavior === 'deny';

/** Calls that it allowed need approval again; calls that it denied stay denied. */
function unreadable(path: string, lastGood: LastGood): Stored {
  const kept = v.safeParse(fileText, lastGood.read(path)?.[REFUSALS]);
  const message = kept.success
    ? "can't be read. Calls that it allowed need approval again; calls that it denied are still denied."
    : "can't be read, and its denials are unknown. Every call needs approval until it is fixed.";
  return {
    all: null,
    grants: kept.success ? kept.output.map(withCover) : [],
    outdated: [],
    problem: { where: path, message, isLost: !kept.success },
  };
}

type Parsed = v.InferOutput<typeof schema>[number];

/**
 * Before grants recorded what they cover, they applied to a path whatever it contained, and to an MCP tool with any
 * arguments. Such a denial stays, because otherwise more would be allowed.
 */
function isOutdated({ behavior, covers, scope, key, text: tool }: Parsed): boolean {
  if (behavior === 'deny' || covers !== null) return false;
  const anyArguments = !tool.endsWith('/*') && hashOf({ key: `mcp ${tool}` }) === key;
  return scope !== 'always' || anyArguments;
}

function withCover(grant: Parsed): StandingGrant {
  return { ...grant, covers: grant.covers ?? 'Exactly this, as it is written.' };
}
