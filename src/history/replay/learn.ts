import type { Agent } from '../../agents/agent.ts';
import {
  type AnsweredCall,
  grantFor,
  type StandingGrant,
  type Surroundings,
  standingAnswer,
} from '../../approvals/grant.ts';
import { grantSubject } from '../../approvals/grant-subject.ts';
import {
  CALLS_AHEAD,
  type EventOf,
  type HookEvent,
  isToolEvent,
  sessionKey,
  type ToolEvent,
} from '../../model/events.ts';
import { callTitle } from '../../model/subject.ts';
import type { ToolCall } from '../../model/tools.ts';
import type { RecordedCall } from './recorded-calls.ts';
import { mergedResponse, readBack } from './replay.ts';

/** A suggested grant that would have spared a person repeated approvals. */
export interface Proposal {
  readonly grant: StandingGrant;
  /** How often a person allowed it. */
  readonly times: number;
  /** Calls that it covers, unchanged. */
  readonly examples: readonly string[];
  /** Similar calls that still need approval. */
  readonly nearMisses: readonly string[];
}

interface LearnParts {
  readonly agents: ReadonlyMap<string, Agent>;
  /** Existing grants. */
  readonly grants: readonly StandingGrant[];
  readonly around: Surroundings;
  /** How often a person must have allowed it. */
  readonly times: number;
  readonly newId: () => string;
}

interface Yes {
  readonly call: AnsweredCall;
  readonly event: ToolEvent;
  readonly subject: string;
}

const SHOWN = 4;

/** The narrowest grant for calls that users allowed repeatedly and never denied. */
export function proposals(calls: Iterable<RecordedCall>, parts: LearnParts): Proposal[] {
  const { yes, refused, seen } = answersIn(calls, parts);
  const groups = new Map<string, Yes[]>();
  for (const one of yes.values()) groups.set(one.subject, [...(groups.get(one.subject) ?? []), one]);
  return [...groups.entries()].flatMap(([subject, group]) => {
    if (refused.has(subject)) return [];
    return proposed(group, parts).flatMap(({ given, scope }) => {
      const proposal = proposalFor(given, scope, seen, parts);
      return proposal ? [proposal] : [];
    });
  });
}

/** Allowed often enough in one directory, the scope is that directory; allowed in many, it is always. */
function proposed(group: readonly Yes[], { times }: LearnParts) {
  const places = new Map<string, Yes[]>();
  for (const one of group) {
    const place = `${one.call.projectId}\0${one.call.cwd}`;
    places.set(place, [...(places.get(place) ?? []), one]);
  }
  const often = [...places.values()].filter((some) => some.length >= times);
  if (often.length > 1 || (often.length === 0 && places.size > 1 && group.length >= times))
    return [{ given: group, scope: 'always' as const }];
  return often.map((given) => ({ given, scope: 'project' as const }));
}

function proposalFor(
  given: readonly Yes[],
  scope: 'project' | 'always',
  seen: readonly ToolEvent[],
  { around, grants, newId }: LearnParts,
): Proposal | null {
  const last = given.at(-1);
  if (!last || standingAnswer(last.event, grants, around)) return null;
  const request = { id: newId(), behavior: 'allow', reach: 'exact', expiresAt: null } as const;
  const grant = grantFor(last.call, { ...request, scope, by: `${given.length} approvals` }, around);
  if ('problem' in grant) return null;
  const isCovered = (event: HookEvent) => standingAnswer(event, [grant], around) !== null;
  const invented = mutations(last.event);
  // Proposed only if it is as narrow as claimed.
  if (invented.some(isCovered)) return null;
  const alike = seen.filter((event) => isAlike(event, last.event) && !isCovered(event));
  return {
    grant,
    times: given.length,
    examples: shown(given.map(({ event }) => event)),
    nearMisses: shown([...alike, ...invented]),
  };
}

/** Variations that must not be covered, whatever was approved. */
function mutations(event: ToolEvent): ToolEvent[] {
  const { tool } = event;
  const as = (change: Partial<ToolCall>): EventOf<'before_tool'> => ({
    ...event,
    type: 'before_tool',
    tool: { ...tool, ...change },
  });
  if (tool.command !== null)
    return [`${tool.command} && rm -rf .`, `${tool.command} $(cat ~/.netrc)`, `sudo ${tool.command}`].map(
      (line) => as({ command: line, input: { ...tool.input, command: line } }),
    );
  return tool.files.slice(0, 1).map(({ op, path }) => as({ files: [{ op, path: `${path}.other` }] }));
}

function isAlike(a: ToolEvent, b: ToolEvent): boolean {
  return a.tool.name === b.tool.name && programOf(a) === programOf(b);
}

function programOf({ tool }: ToolEvent): string | undefined {
  return tool.command
    ?.replaceAll(/["'\\]/g, '')
    .trim()
    .split(/\s+/)[0];
}

function shown(events: readonly ToolEvent[]): string[] {
  const texts = events.map(({ tool }) => callTitle(tool));
  return [...new Set(texts)].slice(0, SHOWN);
}

interface Answers {
  readonly yes: ReadonlyMap<string, Yes>;
  readonly refused: ReadonlySet<string>;
  readonly seen: readonly ToolEvent[];
}

const REMEMBERED = 2_000;

/** Users' answers to each call, given here or in the agent's own dialog: asked about, and then it ran. */
function answersIn(calls: Iterable<RecordedCall>, { agents, around }: LearnParts): Answers {
  const yes = new Map<string, Yes>();
  const refused = new Set<string>();
  const asked = new Map<string, Yes>();
  const seen: ToolEvent[] = [];
  for (const call of calls) {
    const key = `${sessionKey(call)}\0${call.toolNumber}`;
    const before = asked.get(key);
    if (call.type === 'after_tool') {
      if (before && (call.outcome === 'ok' || call.outcome === 'failed')) yes.set(key, before);
      continue;
    }
    if (!CALLS_AHEAD.has(call.type)) continue;
    const said = answerOf(call);
    const isAsked = mergedResponse(call.opinions).decision === 'ask';
    if (said === null && !isAsked) continue;
    const one = readYes(call, agents, around);
    if (!one) continue;
    if (seen.length < REMEMBERED) seen.push(one.event);
    if (said === 'allow') yes.set(key, one);
    else if (said === 'deny') refused.add(one.subject);
    else if (isAsked) asked.set(key, one);
  }
  return { yes, refused, seen };
}

/** An answer by a grant isn't an answer by a person. */
function answerOf({ opinions }: RecordedCall): 'allow' | 'deny' | null {
  const said = opinions.findLast(({ kind, by }) => kind === 'approval' && !by.startsWith('grant '));
  const decision = said?.response.decision;
  return decision === 'allow' || decision === 'deny' ? decision : null;
}

function readYes(call: RecordedCall, agents: LearnParts['agents'], around: Surroundings): Yes | null {
  const agent = agents.get(call.source);
  const event = agent && readBack(agent, call);
  if (!event || !isToolEvent(event)) return null;
  const subject = grantSubject(event, around);
  if (!subject) return null;
  const { id: eventId, source, sessionId, projectId, cwd } = call;
  const answered = { eventId, source, tool: event.tool, sessionId, projectId, cwd };
  return { event, subject: subject.key, call: answered };
}
