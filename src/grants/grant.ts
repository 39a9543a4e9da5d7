import { createHash } from 'node:crypto';
import { type HookEvent, isToolEvent } from '../model/events.ts';
import type { ToolCall } from '../model/tools.ts';
import { type Subject, subjectOf } from './subject.ts';

export const GRANT_SCOPES = ['session', 'branch', 'project', 'always'] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** A standing answer of a person: this, here, for so long. It holds on every agent. */
export interface StandingGrant {
  readonly id: string;
  readonly behavior: 'allow' | 'deny';
  readonly scope: GrantScope;
  /** A hash of what it is for: a command line may hold a secret, and only sameness matters. */
  readonly key: string;
  /** For people. */
  readonly text: string;
  readonly sessionId: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  /** The folder it was given in; null for `always`. */
  readonly cwd: string | null;
  readonly createdAt: string;
  /** Null for one without an end. */
  readonly expiresAt: string | null;
  /** Who gave it, and on which event. */
  readonly by: string;
  readonly eventId: string | null;
}

/** What a grant is compared with. */
export interface Surroundings {
  readonly home: string | null;
  branchOf(folder: string): string | null;
  now(): number;
  /** What is written down for people has no secrets in it. */
  redact(text: string): string;
}

/** The standing answer for this call, if there is one. A denial beats a permission. */
export function standingAnswer(
  event: HookEvent,
  grants: readonly StandingGrant[],
  around: Surroundings,
): StandingGrant | null {
  if (grants.length === 0 || !isToolEvent(event)) return null;
  const inPlace = grants.filter((grant) => isInPlace(grant, event, around));
  if (inPlace.length === 0) return null;
  const keys = keysOf(event.tool, around.home);
  const fitting = inPlace.filter(({ key }) => keys.includes(key));
  return fitting.find(({ behavior }) => behavior === 'deny') ?? fitting[0] ?? null;
}

function keysOf(tool: ToolCall, home: string | null): string[] {
  return [subjectOf(tool, home), serverSubject(tool)].flatMap((subject) =>
    subject ? [hashOf(subject)] : [],
  );
}

function hashOf({ key }: Subject): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function isInPlace(grant: StandingGrant, event: HookEvent, around: Surroundings): boolean {
  if (grant.expiresAt !== null && around.now() > Date.parse(grant.expiresAt)) return false;
  if (grant.scope === 'always') return true;
  // The same words in another folder are another command.
  if (event.cwd !== grant.cwd || event.projectId !== grant.project) return false;
  if (grant.scope === 'session') return grant.sessionId === event.sessionId;
  return grant.scope === 'project' || (event.cwd !== null && around.branchOf(event.cwd) === grant.branch);
}

/** The call that somebody gave an answer to. */
export interface AnsweredCall {
  readonly eventId: string;
  readonly tool: ToolCall | null;
  readonly sessionId: string;
  readonly projectId: string | null;
  readonly cwd: string | null;
}

export interface GrantRequest {
  readonly id: string;
  readonly behavior: 'allow' | 'deny';
  readonly scope: GrantScope;
  /** All tools of the call's MCP server instead of the one. */
  readonly wholeServer: boolean;
  readonly expiresAt: string | null;
  readonly by: string;
}

/** A grant for what was answered, or why it cannot be had. */
export function grantFor(
  call: AnsweredCall,
  request: GrantRequest,
  around: Surroundings,
): StandingGrant | { readonly problem: string } {
  if (call.tool === null) return { problem: 'the event is not about a tool call' };
  const subject = request.wholeServer ? serverSubject(call.tool) : subjectOf(call.tool, around.home);
  if (!subject) {
    return request.wholeServer
      ? { problem: 'the call is not one of an MCP server' }
      : {
          problem:
            'what this command does is known only when it runs, so it can be allowed once but not for longer',
        };
  }
  const { id, behavior, scope, expiresAt, by } = request;
  const here = scope !== 'always';
  return {
    id,
    behavior,
    scope,
    key: hashOf(subject),
    text: around.redact(subject.text),
    sessionId: scope === 'session' ? call.sessionId : null,
    project: here ? call.projectId : null,
    branch: scope === 'branch' && call.cwd !== null ? around.branchOf(call.cwd) : null,
    cwd: here ? call.cwd : null,
    createdAt: new Date(around.now()).toISOString(),
    expiresAt,
    by,
    eventId: call.eventId,
  };
}

function serverSubject(tool: ToolCall): Subject | null {
  return tool.mcp && { tool: 'mcp', key: `mcp ${tool.mcp.server}/*`, text: `${tool.mcp.server}/*` };
}
