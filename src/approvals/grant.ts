import { type HookEvent, isToolEvent } from '../model/events.ts';
import type { ToolCall } from '../model/tools.ts';
import { sha256 } from '../platform/sha256.ts';
import { redactId } from '../redact/ids.ts';
import {
  grantSubject,
  type Subject,
  type SubjectCall,
  type SubjectWorld,
  widerSubject,
} from './grant-subject.ts';

export const GRANT_SCOPES = ['session', 'branch', 'project', 'always'] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A person's stored answer: for this call, in this scope, until it expires. It applies to every agent. */
export interface StandingGrant {
  readonly id: string;
  readonly behavior: 'allow' | 'deny';
  readonly scope: GrantScope;
  /** A hash of the subject, because a command line may contain a secret and only equality matters. */
  readonly key: string;
  /** For display. */
  readonly text: string;
  /** What it covers, in a sentence. */
  readonly covers: string;
  readonly sessionId: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  /** The directory where it was given; null for `always`. */
  readonly cwd: string | null;
  /** Identity of that directory, whatever has its path now; null for `always`. */
  readonly place: string | null;
  readonly createdAt: string;
  /** Null if it doesn't expire. */
  readonly expiresAt: string | null;
  /** Who gave it, and for which event. */
  readonly by: string;
  readonly eventId: string | null;
}

/** Context that a grant is compared with. */
export interface Surroundings extends SubjectWorld {
  /** Identifies a directory, as opposed to a later one at its path; null if there is none. */
  identityOf(folder: string): string | null;
  branchOf(folder: string): string | null;
  now(): number;
  /** Redacted, because it is stored. */
  redact(text: string): string;
}

/** The grant for this call, if there is one. Deny beats allow. */
export function standingAnswer(
  event: HookEvent,
  grants: readonly StandingGrant[],
  around: Surroundings,
): StandingGrant | null {
  if (grants.length === 0 || !isToolEvent(event)) return null;
  const inPlace = grants.filter((grant) => isInPlace(grant, event, around));
  if (inPlace.length === 0) return null;
  const keys = keysOf(event, around);
  const fitting = inPlace.filter(({ key }) => keys.includes(key));
  return fitting.find(({ behavior }) => behavior === 'deny') ?? fitting[0] ?? null;
}

function keysOf(call: SubjectCall, around: Surroundings): string[] {
  const { tool } = call;
  return [grantSubject(call, around), widerSubject(tool, 'tool'), widerSubject(tool, 'server')].flatMap(
    (subject) => (subject ? [hashOf(subject)] : []),
  );
}

export function hashOf({ key }: Pick<Subject, 'key'>): string {
  return sha256(key).slice(0, 32);
}

function isInPlace(grant: StandingGrant, event: HookEvent, around: Surroundings): boolean {
  if (grant.expiresAt !== null && around.now() > Date.parse(grant.expiresAt)) return false;
  if (grant.scope === 'always') return true;
  // The same words in another directory are another command.
  if (!isStored(grant.cwd, event.cwd) || !isStored(grant.project, event.projectId)) return false;
  if (event.cwd !== null && !isSamePlace(grant, event.cwd, around)) return false;
  if (grant.scope === 'session') return isStored(grant.sessionId, event.sessionId);
  return (
    grant.scope === 'project' || (event.cwd !== null && isStored(grant.branch, around.branchOf(event.cwd)))
  );
}

/**
 * True if a grant was given for this value. Values are stored without secrets; earlier versions stored them
 * unchanged.
 */
function isStored(stored: string | null, now: string | null): boolean {
  return stored === now || (now !== null && stored === redactId(now));
}

function toStore(text: string | null): string | null {
  return text === null ? null : redactId(text);
}

/** A directory replaced by a link, or by another directory, isn't the same any more. */
function isSamePlace({ behavior, place }: StandingGrant, cwd: string, around: Surroundings): boolean {
  // Denials from before directories were recorded still apply.
  if (place === null) return behavior === 'deny';
  return around.identityOf(cwd) === place;
}

/** The call that was answered. */
export interface AnsweredCall {
  readonly eventId: string;
  readonly source: string;
  readonly tool: ToolCall | null;
  readonly sessionId: string;
  readonly projectId: string | null;
  readonly cwd: string | null;
}

interface GrantRequest {
  readonly id: string;
  readonly behavior: 'allow' | 'deny';
  readonly scope: GrantScope;
  /** For an MCP call: exactly its arguments, any arguments, or all tools of the server. */
  readonly reach: 'exact' | 'tool' | 'server';
  readonly expiresAt: string | null;
  readonly by: string;
}

/** A grant for the answered call, or why there can't be one. */
export function grantFor(
  call: AnsweredCall,
  request: GrantRequest,
  around: Surroundings,
): StandingGrant | { readonly problem: string } {
  const { tool, source, cwd } = call;
  if (tool === null) return { problem: 'the event is not about a tool call' };
  const { reach } = request;
  const subject = reach === 'exact' ? grantSubject({ tool, source, cwd }, around) : widerSubject(tool, reach);
  if (!subject) {
    return reach !== 'exact'
      ? { problem: 'the call is not one of an MCP server' }
      : {
          problem: 'the effect of this command depends on values at run time, so it can be allowed only once',
        };
  }
  const { id, behavior, scope, expiresAt, by } = request;
  const here = scope !== 'always';
  const place = here && cwd !== null ? around.identityOf(cwd) : null;
  if (here && cwd !== null && place === null) return { problem: `the directory ${cwd} does not exist` };
  return {
    id,
    behavior,
    scope,
    key: hashOf(subject),
    text: around.redact(subject.text),
    covers: around.redact(subject.covers),
    sessionId: scope === 'session' ? redactId(call.sessionId) : null,
    project: here ? toStore(call.projectId) : null,
    branch: scope === 'branch' && cwd !== null ? toStore(around.branchOf(cwd)) : null,
    cwd: here ? toStore(cwd) : null,
    place,
    createdAt: new Date(around.now()).toISOString(),
    expiresAt,
    by,
    eventId: call.eventId,
  };
}
