import * as v from 'valibot';
import type { EventType } from '../model/events.ts';
import type { Decision } from '../model/responses.ts';
import type { StoredEvent, StoredTool } from '../store/stored-event.ts';

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
  readonly timestamp: number;
  readonly tool: string | null;
  readonly outcome: string | null;
  /** The command, the file, the prompt: what it is about, on one line. */
  readonly subject: string;
  readonly decision: Decision;
  readonly rules: readonly string[];
  /** How many things the agent could not be told. */
  readonly degraded: number;
  readonly latencyMs: number;
}

const MOST = 160;

/** Fields of tool inputs and events that say what they are about, the most telling first. */
const TELLING = [
  'command',
  'file_path',
  'path',
  'dir_path',
  'url',
  'pattern',
  'query',
  'prompt',
  'message',
  'description',
  'plan',
];
const TELLING_EVENT = [
  'prompt',
  'lastAssistantMessage',
  'message',
  'subject',
  'problem',
  'reason',
  'trigger',
];

export function toBrief(event: StoredEvent): EventBrief {
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
    tool: event.tool?.name ?? null,
    outcome: event.tool?.outcome ?? null,
    subject: event.tool ? subjectOf(event.tool, event.event.tool) : firstText(event.event, TELLING_EVENT),
    decision: event.response.decision,
    rules: event.rules,
    degraded: event.degraded.length,
    latencyMs: event.latencyMs,
  };
}

const filesIn = v.object({ files: v.array(v.object({ path: v.string() })) });
const questionsIn = v.object({ questions: v.array(v.object({ question: v.string() })) });

function subjectOf({ kind, input }: StoredTool, canonical: unknown): string {
  const touched = v.safeParse(filesIn, canonical);
  // One patch may be about several files, and its text is no subject.
  if (kind === 'write' && touched.success && touched.output.files.length > 0)
    return oneLine([...new Set(touched.output.files.map(({ path }) => path))].join(', '));
  const asked = v.safeParse(questionsIn, input);
  if (asked.success) return oneLine(asked.output.questions.map(({ question }) => question).join(' '));
  return firstText(input, TELLING) || (Object.keys(input).length === 0 ? '' : oneLine(JSON.stringify(input)));
}

function firstText(fields: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value);
  }
  return '';
}

function oneLine(text: string): string {
  // Long texts are cut before the work is done on them.
  const flat = text
    .slice(0, MOST * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return flat.length > MOST ? `${flat.slice(0, MOST - 1)}…` : flat;
}
