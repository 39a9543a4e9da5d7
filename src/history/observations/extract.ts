import type { AgentHistory } from '../../agents/kit/history.ts';
import {
  EVENT_TYPES,
  type EventOf,
  type EventType,
  type HookEvent,
  type ToolEvent,
} from '../../model/events.ts';
import { NOTE, OWN_SOURCE } from '../../model/people/access.ts';
import type { Decision } from '../../model/responses.ts';
import { callSubject } from '../../model/subject.ts';
import { oneLine } from '../../model/text.ts';
import { excerpt, KEPT } from './excerpt.ts';
import { fromToolResult } from './extract-tool.ts';
import type { Observation } from './observation.ts';

/** What was decided on the event, as far as an observation needs it. */
export interface Decided {
  readonly decision: Decision;
  readonly by: readonly string[];
  readonly reason: string | null;
}

type Extractor<T extends EventType> = (
  event: EventOf<T>,
  verdict: Decided,
  history: AgentHistory | undefined,
) => readonly Observation[];
type Extractors = { readonly [T in EventType]?: Extractor<T> };

/** What events tell, whatever was decided on them. */
const EXTRACTORS: Extractors = {
  before_agent: ({ agentId, prompt, type }, verdict) =>
    // A subagent's prompt was written by the main agent: it is not an intent of a person.
    agentId === null ? [intent(prompt), ...refusal(type, '', verdict)] : [],
  permission_request: (event, verdict) => {
    if (event.unsure) return refusal(event.tool.name, subjectIn(event), verdict);
    const decision = verdict.decision === 'none' ? 'requested' : verdict.decision;
    return [permission(event.tool.name, subjectIn(event), decision, verdict)];
  },
  permission_denied: (event) => [
    {
      kind: 'permission',
      tool: event.tool.name,
      subject: subjectIn(event),
      decision: 'denied',
      by: [],
      reason: event.reason,
    },
  ],
  after_tool: (event, _, history) => fromToolResult(event, history),
  session_start: ({ trigger }) => [
    {
      kind: 'session',
      boundary: 'start',
      trigger,
      fresh: trigger === 'startup',
      compaction: trigger === 'compact',
    },
  ],
  session_end: ({ reason }) => [
    { kind: 'session', boundary: 'end', trigger: reason, fresh: false, compaction: false },
  ],
  stop: turnEnd,
  after_agent: turnEnd,
  stop_failure: ({ error, details }) => [
    { kind: 'error', where: 'turn', message: oneLine(`${error} ${details ?? ''}`, 1000) },
  ],
  interrupt: ({ reason }) => [{ kind: 'interrupt', reason }],
  subagent_start: (event) => [subagent('start', event, null)],
  subagent_stop: (event) => [subagent('stop', event, event.lastAssistantMessage)],
  task_created: ({ taskId, subject }) => [
    { kind: 'task', change: 'created', id: taskId, subject, status: 'pending' },
  ],
  task_completed: ({ taskId, subject }) => [
    { kind: 'task', change: 'completed', id: taskId, subject, status: 'completed' },
  ],
  pre_compact: ({ trigger }) => [{ kind: 'compaction', phase: 'before', trigger, summary: null }],
  post_compact: ({ trigger, summary }) => [
    { kind: 'compaction', phase: 'after', trigger, summary: message(summary) },
  ],
  teammate_idle: ({ teammate, team }) => [{ kind: 'teammate', name: teammate, team, change: 'idle' }],
  notification: ({ source, kind, title, message: said, metadata: { by } }) => [
    source === OWN_SOURCE && kind === NOTE
      ? { kind: 'note', text: excerpt(said, KEPT.note), by: String(by) }
      : { kind: 'notification', topic: kind, title, message: oneLine(said, 500) },
  ],
  unknown: ({ problem }) =>
    problem === null ? [] : [{ kind: 'error', where: 'payload', message: oneLine(problem, 500) }],
};

/** What events tell only when they were denied or asked about. */
const EXTRACTORS_OF_REFUSED: Extractors = {
  before_tool: (event, verdict) => refusal(event.tool.name, subjectIn(event), verdict),
};

/** Events that are worth reading whatever was decided on them. */
export const OBSERVED_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) => type in EXTRACTORS);

/** What one event tells, without a model and the same for every agent. Pure. */
export function observationsOf(
  event: HookEvent,
  verdict: Decided,
  history: AgentHistory | undefined,
): readonly Observation[] {
  return extract(event.type, event, verdict, history);
}

function extract<T extends EventType>(
  type: T,
  event: EventOf<T>,
  ...given: [Decided, AgentHistory | undefined]
) {
  const tell: Extractor<T> | undefined = EXTRACTORS[type] ?? EXTRACTORS_OF_REFUSED[type];
  return tell?.(event, ...given) ?? [];
}

/** More than a command that a person can take in at a glance. */
const LONGEST_SUBJECT = 300;

function subjectIn({ tool }: ToolEvent): string {
  return oneLine(callSubject(tool), LONGEST_SUBJECT);
}

function turnEnd(event: EventOf<'stop' | 'after_agent'>, verdict: Decided): readonly Observation[] {
  const { lastAssistantMessage, stopHookActive, type } = event;
  return [
    { kind: 'turn_end', message: message(lastAssistantMessage), continuation: stopHookActive },
    ...refusal(type, '', verdict),
  ];
}

function intent(prompt: string): Observation {
  const command = /^\/([\w:.-]+)/.exec(prompt.trimStart())?.[1] ?? null;
  return { kind: 'intent', prompt: excerpt(prompt, KEPT.intent), command };
}

/** Returns an observation only for held-up calls. Others show in the call itself. */
function refusal(tool: string, subject: string, verdict: Decided): readonly Observation[] {
  const { decision } = verdict;
  return decision === 'deny' || decision === 'ask' ? [permission(tool, subject, decision, verdict)] : [];
}

function permission(
  tool: string,
  subject: string,
  decision: 'requested' | 'allow' | 'deny' | 'ask',
  { by, reason }: Decided,
): Observation {
  return {
    kind: 'permission',
    tool,
    subject,
    decision,
    by,
    reason: reason === null ? null : oneLine(reason, 500),
  };
}

function subagent(
  boundary: 'start' | 'stop',
  event: {
    readonly subagentId: string | null;
    readonly subagentType: string;
    readonly agentId: string | null;
  },
  said: string | null,
): Observation {
  // The client names the new agent in both fields; only another name in the second is a parent.
  const parent = event.agentId === event.subagentId ? null : event.agentId;
  return {
    kind: 'subagent',
    boundary,
    id: event.subagentId,
    type: event.subagentType,
    parent,
    message: message(said),
  };
}

function message(text: string | null) {
  return text === null || text === '' ? null : excerpt(text, KEPT.message);
}
