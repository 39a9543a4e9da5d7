import type { AgentHistory } from '../agents/history.ts';
import type { HookEvent } from '../model/events.ts';
import type { Decision } from '../model/responses.ts';
import { excerpt, headline, KEPT } from './excerpt.ts';
import { fromToolResult, subjectOf } from './extract-tool.ts';
import type { Observation } from './observation.ts';

/** What was decided on the event, as far as an observation needs it. */
export interface Verdict {
  readonly decision: Decision;
  readonly by: readonly string[];
  readonly reason: string | null;
}

/** What one event tells, without a model and the same for every agent. Pure. */
export function observationsOf(
  event: HookEvent,
  verdict: Verdict,
  history: AgentHistory | undefined,
): readonly Observation[] {
  switch (event.type) {
    case 'before_agent':
      // A subagent's prompt was written by the main agent: it is no intent of a person.
      return event.agentId === null ? [intent(event.prompt), ...refusal(event.type, '', verdict)] : [];
    case 'before_tool':
      return refusal(event.tool.name, subjectOf(event.tool), verdict);
    case 'permission_request': {
      const decision = verdict.decision === 'none' ? 'requested' : verdict.decision;
      return [permission(event.tool.name, subjectOf(event.tool), decision, verdict)];
    }
    case 'permission_denied':
      return [
        {
          kind: 'permission',
          tool: event.tool.name,
          subject: subjectOf(event.tool),
          decision: 'denied',
          by: [],
          reason: event.reason,
        },
      ];
    case 'after_tool':
      return fromToolResult(event, history);
    case 'session_start':
      return [
        {
          kind: 'session',
          boundary: 'start',
          trigger: event.trigger,
          fresh: event.trigger === 'startup',
          compaction: event.trigger === 'compact',
        },
      ];
    case 'session_end':
      return [{ kind: 'session', boundary: 'end', trigger: event.reason, fresh: false, compaction: false }];
    case 'stop':
    case 'after_agent':
      return [
        {
          kind: 'turn_end',
          message: message(event.lastAssistantMessage),
          continuation: event.stopHookActive,
        },
        ...refusal(event.type, '', verdict),
      ];
    case 'stop_failure':
      return [
        { kind: 'error', where: 'turn', message: headline(`${event.error} ${event.details ?? ''}`, 1000) },
      ];
    case 'interrupt':
      return [{ kind: 'interrupt', reason: event.reason }];
    case 'subagent_start':
      return [subagent('start', event, null)];
    case 'subagent_stop':
      return [subagent('stop', event, event.lastAssistantMessage)];
    case 'task_created':
      return [
        { kind: 'task', change: 'created', id: event.taskId, subject: event.subject, status: 'pending' },
      ];
    case 'task_completed':
      return [
        { kind: 'task', change: 'completed', id: event.taskId, subject: event.subject, status: 'completed' },
      ];
    case 'pre_compact':
      return [{ kind: 'compaction', phase: 'before', trigger: event.trigger, summary: null }];
    case 'post_compact':
      return [
        { kind: 'compaction', phase: 'after', trigger: event.trigger, summary: message(event.summary) },
      ];
    case 'notification':
      return [{ kind: 'notification', topic: event.kind, message: headline(event.message, 500) }];
    case 'unknown':
      return event.problem === null
        ? []
        : [{ kind: 'error', where: 'payload', message: headline(event.problem, 500) }];
    default:
      return [];
  }
}

function intent(prompt: string): Observation {
  const command = /^\/([\w:.-]+)/.exec(prompt.trimStart())?.[1] ?? null;
  return { kind: 'intent', prompt: excerpt(prompt, KEPT.intent), command };
}

/** Only what was held up is worth an observation: that nobody objected shows in the call itself. */
function refusal(tool: string, subject: string, verdict: Verdict): readonly Observation[] {
  const { decision } = verdict;
  return decision === 'deny' || decision === 'ask' ? [permission(tool, subject, decision, verdict)] : [];
}

function permission(
  tool: string,
  subject: string,
  decision: 'requested' | 'allow' | 'deny' | 'ask',
  { by, reason }: Verdict,
): Observation {
  return {
    kind: 'permission',
    tool,
    subject,
    decision,
    by,
    reason: reason === null ? null : headline(reason, 500),
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
