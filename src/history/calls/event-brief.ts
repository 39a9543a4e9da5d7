import { deliveredDecision } from '../../model/delivered.ts';
import type { EventType } from '../../model/events.ts';
import { PLACES_HERE } from '../../model/people/access.ts';
import type { Opinion } from '../../model/recording.ts';
import type { Decision, HookResponse } from '../../model/responses.ts';
import { folderName, oneLine } from '../../model/text.ts';
import { storedSubject } from '../../store/read/canonical-event.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';

/** An event as a line of a list: what a screen of hundreds needs of each. */
export interface EventBrief {
  readonly row: number;
  readonly id: string;
  readonly type: EventType;
  readonly source: string;
  readonly sessionId: string;
  readonly agentId: string | null;
  readonly promptNumber: number;
  readonly toolNumber: number;
  /** By our own clock, so that what came later is later. */
  readonly timestamp: number;
  /** The project by the name of its folder; empty where none is known. */
  readonly place: string;
  /** The branch that was checked out there, where that was found out. */
  readonly branch: string | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  /** How long the tool took, where the agent says so. */
  readonly durationMs: number | null;
  /** The command, the file, the prompt: what it is about, on one line. */
  readonly subject: string;
  readonly decision: Decision;
  /** What was delivered to the agent: an `ask` that it cannot ask is a denial. */
  readonly delivered: Decision;
  /** The rules and hooks whose decision it is. */
  readonly by: readonly string[];
  /** What a person or a grant said, as in `you allowed`. */
  readonly answered: string | null;
  readonly rules: readonly string[];
  /** How many parts of the answer were not delivered. */
  readonly degraded: number;
  /** How long a person was waited for. */
  readonly waitedMs: number;
  /** What Hookline itself took, without that. */
  readonly costMs: number;
  /** It is not on record yet: a person is asked about it now. */
  readonly waits?: true;
}

/** Enough of a subject for every surface; each cuts it to the room it has. */
export const LONGEST_SUBJECT = 160;

export function toBrief(event: StoredEvent): EventBrief {
  const waitedMs = waitedFor(event);
  return {
    row: event.row,
    id: event.id,
    type: event.type,
    source: event.source,
    sessionId: event.sessionId,
    agentId: event.agentId,
    promptNumber: event.promptNumber,
    toolNumber: event.toolNumber,
    timestamp: event.timestamp,
    place: folderName(event.projectId ?? event.cwd),
    branch: branchOf(event),
    tool: event.tool?.name ?? null,
    outcome: event.tool?.outcome ?? null,
    durationMs: durationOf(event),
    subject: oneLine(storedSubject(event), LONGEST_SUBJECT),
    decision: event.response.decision,
    delivered: deliveredDecision(event.type, event.response, event.degraded),
    by: decidersOf(event),
    answered: answeredBy(event),
    rules: event.rules,
    degraded: event.degraded.length,
    waitedMs,
    costMs: Math.max(0, event.latencyMs - waitedMs),
  };
}

/** The rules and hooks that said what was decided; a guard that failed counts where that is why. */
function decidersOf({ response: { decision, halt }, opinions }: StoredEvent): readonly string[] {
  if (decision === 'none' && halt === undefined) return [];
  const hasSaid = (said: HookResponse) =>
    decision === 'none' ? said.halt !== undefined : said.decision === decision;
  const deciders = opinions.filter(
    ({ kind, observing, response }) => kind !== 'approval' && !observing && hasSaid(response),
  );
  return [...new Set(deciders.map(({ by }) => by))];
}

function answerIn({ opinions }: StoredEvent): Opinion | undefined {
  return opinions.findLast(({ kind }) => kind === 'approval');
}

/** In the second person where it was the user whose agent it is; from where, unless it was on this machine. */
function answeredBy(event: StoredEvent): string | null {
  const answer = answerIn(event);
  if (answer === undefined) return null;
  const { decision } = answer.response;
  if (/^expired\b/.test(answer.by)) return decision === 'deny' ? 'denied, no answer' : 'no answer';
  if (decision !== 'allow' && decision !== 'deny') return null;
  const verb = decision === 'allow' ? 'allowed' : 'denied';
  const who = answererOf(answer.by);
  if (event.userId === null || !who.startsWith(`${event.userId} (`)) return `${verb} by ${who}`;
  const place = who.slice(event.userId.length + 2, -1);
  return PLACES_HERE.includes(place) ? `you ${verb}` : `you ${verb} (${place})`;
}

/** Who answered, without what they said: approvals are recorded as `allowed by ann (terminal)`. */
export function answererOf(by: string): string {
  return by.replace(/^(?:allowed|denied) by /, '');
}

/** Records from before the wait was kept have only the sum, of which nearly all was waiting. */
function waitedFor(event: StoredEvent): number {
  const answer = answerIn(event);
  // A grant answers at once, and is written nowhere.
  if (answer === undefined || answer.where === null) return 0;
  return Math.min(event.latencyMs, answer.tookMs ?? event.latencyMs);
}

function branchOf({ event: { metadata } }: StoredEvent): string | null {
  const branch =
    typeof metadata === 'object' && metadata !== null && 'branch' in metadata ? metadata.branch : null;
  return typeof branch === 'string' ? branch : null;
}

function durationOf({ event: { tool } }: StoredEvent): number | null {
  const ms = typeof tool === 'object' && tool !== null && 'durationMs' in tool ? tool.durationMs : null;
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : null;
}
