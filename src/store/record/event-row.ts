import { type HookEvent, isToolEvent } from '../../model/events.ts';
import type { CallRecord } from '../../model/recording.ts';
import type { HookResponse } from '../../model/responses.ts';
import { redactId } from '../../redact/ids.ts';
import type { SqlValue } from '../database/driver.ts';
import { plain, validTime } from '../read/event-columns.ts';
import { eventJson, type Redact, redactedJson, toJson } from './event-json.ts';
import { withoutLongTexts } from './long-text.ts';

/** One call as the values of its row. */
export function eventRow(record: CallRecord, event: HookEvent, redact: Redact): readonly SqlValue[] {
  const tool = isToolEvent(event) ? event.tool : null;
  const { response, opinions } = record;
  // Truncated after redaction: half a secret wouldn't be detected.
  const json = eventJson(event, (text) => withoutLongTexts(redactedJson(text, redact)));
  return [
    plainId(event.id),
    plain(event.source),
    plainId(event.sessionId),
    plain(event.type),
    plainId(event.nativeEvent),
    event.sequence,
    event.promptNumber,
    event.toolNumber,
    validTime(event.timestamp),
    redactedText(event.cwd, redact),
    redactedText(event.projectId, redact),
    idOrNull(event.machineId),
    idOrNull(event.userId),
    idOrNull(event.agentId),
    tool === null ? null : plainId(tool.name),
    tool === null ? null : plain(tool.kind),
    tool === null ? null : idOrNull(tool.useId),
    event.type === 'after_tool' ? event.tool.outcome : null,
    response.decision,
    Number.isFinite(record.latencyMs) ? record.latencyMs : 0,
    listJson(rulesOf(record), redact),
    listJson(record.degraded, redact),
    redactedJson(toJson(response) ?? decisionOnly(response), redact),
    redactedJson(toJson(record.answer) ?? 'null', redact),
    listJson(opinions, redact),
    json.event,
    json.native,
  ];
}

/** Text for a column, from an ID or a name that others choose. */
export function plainId(id: string): string {
  return plain(redactId(id));
}

export function redactedText(text: string | null, redact: Redact): string | null {
  return text === null ? null : plain(redact(text));
}

function idOrNull(id: string | null): string | null {
  return id === null ? null : plainId(id);
}

/** Most lists are empty. */
function listJson(list: readonly unknown[], redact: Redact): string {
  return list.length === 0 ? '[]' : redactedJson(toJson(list) ?? '[]', redact);
}

const NONE: readonly string[] = [];

/** Those that contributed to the answer, each once. */
function rulesOf(record: CallRecord): readonly string[] {
  if (record.opinions.length === 0) return NONE;
  const ids = record.opinions.filter((opinion) => opinion.kind === 'rule' && opinion.observing !== true);
  return [...new Set(ids.map((opinion) => opinion.by))];
}

function decisionOnly({ decision }: HookResponse): string {
  return JSON.stringify({ decision, metadata: { problem: 'The rest cannot be stored as JSON.' } });
}
