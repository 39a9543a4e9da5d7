import type { FileChange } from '../../model/changes.ts';
import { isObject } from '../../model/json.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  type QueryRows,
  type TokenUsage,
  TranscriptDraft,
  type TranscriptReader,
  textChange,
} from '../kit/history.ts';
import { type Json, listAt, numberAt, objectAt, parsed, textAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';
import { exitCodeOf } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({ scope: textAt(tool.input, 'path'), results: found(tool) }),
  output,
  readTranscript,
  records,
};

function changes({ name, nativeName, files, input }: ToolCall, response: unknown): readonly FileChange[] {
  if (nativeName === 'apply_patch') return patchChanges(textAt(input, 'patchText') ?? '');
  const path = files[0]?.path;
  if (path === undefined) return [];
  if (name === 'Edit') return [textChange(path, textAt(input, 'oldString'), textAt(input, 'newString'))];
  const isNew = objectAt(response, 'metadata')?.exists === false;
  return [textChange(path, isNew ? '' : null, textAt(input, 'content'))];
}

/** Its results count the matches, or the files. */
function found({ response }: ToolResult): number | null {
  const metadata = objectAt(response, 'metadata');
  for (const key of ['matches', 'count'])
    if (typeof metadata?.[key] === 'number') return numberAt(metadata, key);
  return null;
}

/** A command's own output is in the metadata; the text for the model may be cut, or say that there is none. */
function output({ kind, response, error }: ToolResult): string | null {
  if (typeof response === 'string') return response;
  const printed = kind === 'shell' ? textAt(objectAt(response, 'metadata'), 'output') : null;
  const texts = listAt(response, 'content').flatMap((part) => textAt(part, 'text') ?? []);
  return printed ?? textAt(response, 'output') ?? (texts.length > 0 ? texts.join('\n') : error);
}

/** Of the session and its subagents, as 1.18.33 stores them: a message, then its parts. */
const RECORDS = `
  SELECT m.data AS message, p.data AS part FROM message m LEFT JOIN part p ON p.message_id = m.id
  WHERE m.session_id IN (
    WITH RECURSIVE family(id) AS (
      SELECT ? UNION SELECT s.id FROM session s JOIN family f ON s.parent_id = f.id
    ) SELECT id FROM family)
  ORDER BY m.time_created, m.id, p.id`;

/** The client's database is read only. Each record is a part of a message, with the message. */
function records(query: QueryRows, sessionId: string): readonly unknown[] {
  return query(RECORDS, sessionId).map(({ message, part }) => ({
    message: parsed(typeof message === 'string' ? message : null),
    part: parsed(typeof part === 'string' ? part : null),
  }));
}

function readTranscript(): TranscriptReader {
  const draft = new TranscriptDraft();
  let last: string | null = null;
  return {
    add: (record) => {
      if (!isObject(record)) return;
      const [message, part] = [objectAt(record, 'message'), objectAt(record, 'part')];
      if (!message || !part) return;
      const begins =
        textAt(part, 'type') === 'text' && part.synthetic !== true && textAt(message, 'role') === 'user';
      if (begins) draft.startTurn(textAt(part, 'text') ?? '');
      if (textAt(message, 'role') !== 'assistant') return;
      replay(message, part, draft);
      const name = textAt(objectAt(message, 'error'), 'name');
      if (name === 'MessageAbortedError' && last !== JSON.stringify(message)) draft.interruptTurn();
      last = JSON.stringify(message);
    },
    transcript: () => draft.transcript(),
  };
}

function replay(message: Json, part: Json, draft: TranscriptDraft): void {
  const type = textAt(part, 'type');
  if (type === 'text') draft.setMessage(textAt(part, 'text') ?? '');
  if (type === 'step-finish') {
    draft.addUsage(textAt(message, 'modelID') ?? 'unknown', tokens(objectAt(part, 'tokens')));
    const cost = numberAt(part, 'cost');
    if (cost > 0) draft.costUsd = (draft.costUsd ?? 0) + cost;
  }
  if (type !== 'tool') return;
  const state = objectAt(part, 'state');
  const exitCode = exitCodeOf(state);
  draft.addCall({
    id: textAt(part, 'callID'),
    nativeName: textAt(part, 'tool') ?? '',
    input: objectAt(state, 'input') ?? {},
    startedAt: numberAt(objectAt(state, 'time'), 'start') || null,
    outcome: outcomeOf(textAt(state, 'status'), exitCode),
    exitCode,
  });
}

function outcomeOf(status: string | null, exitCode: number | null) {
  if (status === 'error' || (exitCode ?? 0) !== 0) return 'failed';
  return status === 'completed' ? 'ok' : 'unknown';
}

function tokens(used: Json | null): TokenUsage {
  const cache = objectAt(used, 'cache');
  return {
    input: numberAt(used, 'input'),
    output: numberAt(used, 'output'),
    cacheRead: numberAt(cache, 'read'),
    cacheWrite: numberAt(cache, 'write'),
    reasoning: numberAt(used, 'reasoning'),
  };
}
