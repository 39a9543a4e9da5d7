import { expect, test } from 'vitest';
import { openTestHistory } from '../../../test/support/history/history.ts';
import {
  KEYWORDS,
  PARAPHRASES,
  QUESTIONS,
  WEEK,
  type WeekSession,
} from '../../../test/support/history/week.ts';
import { search } from './search.ts';

const MONDAY = 1_700_000_000_000;
const HOUR = 3_600_000;

function filled() {
  const history = openTestHistory();
  for (const [at, one] of WEEK.entries()) sendSession(history, one, MONDAY + at * 2 * HOUR);
  history.observe();
  return history.db;
}

function sendSession({ send }: ReturnType<typeof openTestHistory>, one: WeekSession, at: number): void {
  const common = { session_id: one.name, transcript_path: '', cwd: '/shop' };
  for (const [turn, [prompt, outcome]] of one.turns.entries()) {
    const then = at + turn * 600_000;
    send('claude', { ...common, hook_event_name: 'UserPromptSubmit', prompt }, then);
    for (const [step, command] of one.commands.entries()) {
      const tool = { tool_name: 'Bash', tool_input: { command }, tool_use_id: `${turn}-c${step}` };
      send('claude', { ...common, hook_event_name: 'PreToolUse', ...tool }, then);
      send(
        'claude',
        { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: { stdout: '' } },
        then,
      );
    }
    for (const [step, file] of one.files.entries()) {
      const input = { file_path: `/shop/${file}`, old_string: 'a', new_string: 'b' };
      const tool = { tool_name: 'Edit', tool_input: input, tool_use_id: `${turn}-f${step}` };
      send('claude', { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: {} }, then);
    }
    const stop = { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: outcome };
    send('claude', { ...common, ...stop }, then);
  }
}

/** The queries whose first hit is in another session. */
function missed(queries: typeof KEYWORDS): readonly string[] {
  const db = filled();
  const now = MONDAY + 8 * 24 * HOUR;
  return queries.flatMap(([query, wanted]) => {
    const found = search(db, { text: query }, now)[0]?.sessionId;
    return found === wanted ? [] : [`${query}: ${found ?? 'nothing'} instead of ${wanted}`];
  });
}

test('words of a session find it first', () => {
  expect(missed(KEYWORDS)).toEqual([]);
});

test('a question finds the session that answers it first', () => {
  expect(missed(QUESTIONS)).toEqual([]);
});

test('other words for the same thing find a good part of the sessions first', () => {
  expect(missed(PARAPHRASES).length).toBeLessThan(PARAPHRASES.length / 3);
});
