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
  /** Read again when the file changed. Of a file that cannot be read, the refusals that it had before still apply. */
  list(): readonly StandingGrant[];
  /** What is wrong with the file; null where it can be read. */
  problem(): GrantProblem | null;
  /** Grants of an older version that cover more than one call: they are not applied. */
  outdated(): readonly StandingGrant[];
  /** Throws for a file that cannot be read: it may have refusals in it. */
  add(grant: StandingGrant): void;
  /** The grant that is gone, outdated or not; null when there was none. */
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

  /** Everything in the file, the outdated ones too: they are a person's to delete. */
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
  /** As they are in the file; null where it cannot be read. */
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

/** What it allowed is asked about again; what it refused stays refused. */
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
 * Before grants said what they cover, they were for a path whatever lay there, and for an MCP tool whatever its
 * arguments. A refusal of that kind stays: without it more would be allowed.
 */
function isOutdated({ behavior, covers, scope, key, text: tool }: Parsed): boolean {
  if (behavior === 'deny' || covers !== null) return false;
  const anyArguments = !tool.endsWith('/*') && hashOf({ key: `mcp ${tool}` }) === key;
  return scope !== 'always' || anyArguments;
}

function withCover(grant: Parsed): StandingGrant {
  return { ...grant, covers: grant.covers ?? 'Exactly this, as it is written.' };
}
