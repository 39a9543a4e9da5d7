import type { FileChange } from '../../model/changes.ts';
import type { ToolCall } from '../../model/tools.ts';
import { type AgentHistory, NO_SEARCH, TranscriptDraft, textChange } from '../kit/history.ts';
import { listAt, textAt } from '../kit/loose-json.ts';
import { outputText } from './dialect.ts';

export const history: AgentHistory = {
  changes,
  search: () => NO_SEARCH,
  output: ({ response }) => outputText(response),
  // Its transcripts are of a form that nothing published here tells (1.0.32).
  readTranscript: () => {
    const draft = new TranscriptDraft();
    return { add: () => {}, transcript: () => draft.transcript() };
  },
};

/** Texts and edits both come by one tool. */
function changes({ files, input }: ToolCall): readonly FileChange[] {
  const path = files[0]?.path;
  if (path === undefined) return [];
  const edits = 'old_string' in input ? [input] : listAt(input, 'edits');
  if (edits.length === 0) return [textChange(path, null, textAt(input, 'content'))];
  return edits.map((edit) => textChange(path, textAt(edit, 'old_string'), textAt(edit, 'new_string')));
}
