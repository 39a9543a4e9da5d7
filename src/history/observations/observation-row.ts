import { beginningOf } from '../../model/text.ts';
import type { Observation } from './observation.ts';

/** The columns of an observation that are asked for, beside the whole of it as JSON. */
interface ObservationColumns {
  readonly action: string;
  readonly outcome: string | null;
  readonly exitCode: number | null;
  readonly subject: string;
  readonly body: string;
}

const MOST_SUBJECT = 500;
const MOST_BODY = 1000;

export function columnsOf(observation: Observation): ObservationColumns {
  const { action, outcome = null, exitCode = null, subject, body = '' } = parts(observation);
  return {
    action,
    outcome,
    exitCode,
    subject: beginningOf(subject, MOST_SUBJECT),
    body: beginningOf(body, MOST_BODY),
  };
}

interface Parts {
  readonly action: string;
  readonly outcome?: string;
  readonly exitCode?: number | null;
  readonly subject: string;
  readonly body?: string;
}

function parts(o: Observation): Parts {
  switch (o.kind) {
    case 'intent':
      return { action: o.command ?? '', subject: o.prompt.text };
    case 'file':
      return { action: o.op, outcome: o.outcome, subject: o.path, body: o.to ?? '' };
    case 'command':
      return {
        action: o.purpose,
        outcome: o.outcome,
        exitCode: o.exitCode,
        subject: o.command.text,
        body: [o.description, o.output].filter(Boolean).join('\n'),
      };
    case 'search':
      return { action: o.tool, outcome: o.outcome, subject: o.pattern, body: o.scope ?? '' };
    case 'web':
      return { action: o.tool, outcome: o.outcome, subject: o.target };
    case 'mcp':
      return { action: o.tool, outcome: o.outcome, subject: `${o.server} ${o.tool}`, body: o.input.text };
    case 'tool':
      return { action: o.tool, outcome: o.outcome, subject: o.tool, body: o.input.text };
    case 'session':
      return { action: o.boundary, subject: o.trigger };
    case 'message':
      return { action: '', subject: '', body: o.message.text };
    case 'turn_end':
      return { action: o.continuation ? 'continued' : '', subject: '', body: o.message?.text ?? '' };
    default:
      return partsOfTurn(o);
  }
}

/** Rows that belong to a turn or a session and are not calls. */
function partsOfTurn(
  o: Exclude<
    Observation,
    {
      readonly kind:
        | 'intent'
        | 'file'
        | 'command'
        | 'search'
        | 'web'
        | 'mcp'
        | 'tool'
        | 'session'
        | 'message'
        | 'turn_end';
    }
  >,
): Parts {
  switch (o.kind) {
    case 'error':
      return { action: '', subject: o.where, body: o.message };
    case 'subagent':
      return { action: o.boundary, subject: o.type, body: o.message?.text ?? '' };
    case 'task':
      return { action: o.change, outcome: o.status, subject: o.subject };
    case 'plan':
      return { action: '', subject: '', body: o.plan.text };
    case 'question':
      return { action: '', subject: o.question, body: o.answer ?? '' };
    case 'compaction':
      return { action: o.phase, subject: o.trigger, body: o.summary?.text ?? '' };
    case 'notification':
      return { action: o.topic, subject: [o.title, o.message].filter(Boolean).join(': ') };
    case 'teammate':
      return { action: o.change, subject: o.name, body: o.team ?? '' };
    case 'permission':
      return { action: o.decision, subject: `${o.tool} ${o.subject}`, body: o.reason ?? '' };
    case 'note':
      return { action: o.by, subject: o.text.text };
    case 'interrupt':
      return { action: '', subject: '', body: o.reason ?? '' };
  }
}
