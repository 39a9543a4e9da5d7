import type { FileChange } from '../../model/changes.ts';
import type { ToolCall, ToolResult } from '../../model/tools.ts';
import {
  type AgentHistory,
  type QueryRows,
  type TokenUsage,
  type TranscriptDraft,
  textChange,
  transcriptReader,
} from '../kit/history.ts';
import { type Json, numberAt, objectAt, parsed, textAt } from '../kit/loose-json.ts';
import { patchChanges } from '../kit/patch.ts';
import { exitCodeOf, resultText, unquoted } from './decode.ts';

export const history: AgentHistory = {
  changes,
  search: (tool) => ({ scope: textAt(tool.input, 'path'), results: found(tool) }),
  output,
  readTranscript: () => transcriptReader(replay),
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
  const printed = kind === 'shell' ? textAt(objectAt(response, 'metadata'), 'output') : null;
  return printed ?? resultText(response) ?? error;
}

/** Of the session and its subagents, as 1.18.33 stores them: each part of a message, with the message. */
const RECORDS = `
  WITH RECURSIVE family(id) AS (
    SELECT ? UNION SELECT session.id FROM session JOIN family ON session.parent_id = family.id
  )
  SELECT m.session_id = ? AS own, m.data AS message, p.data AS part
  FROM message m JOIN part p ON p.message_id = m.id
  WHERE m.session_id IN (SELECT id FROM family) ORDER BY m.time_created, m.id, p.id`;

function records(query: QueryRows, sessionId: string): readonly unknown[] {
  return query(RECORDS, sessionId, sessionId).map(({ own, message, part }) => ({
    own: Number(own) === 1,
    message: parsed(typeof message === 'string' ? message : null),
    part: parsed(typeof part === 'string' ? part : null),
  }));
}

/** Messages of a subagent are not turns of the user's; its calls and tokens count. */
function replay(record: Json, draft: TranscriptDraft): void {
  const [message, part] = [objectAt(record, 'message'), objectAt(record, 'part')];
  if (!message || !part) return;
  if (record.own === true) readText(message, part, draft);
  if (textAt(message, 'role') === 'assistant') readPart(message, part, draft);
}

function readText(message: Json, part: Json, draft: TranscriptDraft): void {
  const isUser = textAt(message, 'role') === 'user';
  const text = textAt(part, 'type') === 'text' && part.synthetic !== true ? textAt(part, 'text') : null;
  if (text !== null && isUser) draft.startTurn(unquoted(text));
  else if (text !== null) draft.setMessage(text);
  if (textAt(objectAt(message, 'error'), 'name') === 'MessageAbortedError') draft.interruptTurn();
}

function readPart(message: Json, part: Json, draft: TranscriptDraft): void {
  const type = textAt(part, 'type');
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
