import { folderName, minuteOf, oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import type { StoredSession } from '../../store/read/queries.ts';
import { summarise, summaryLine } from '../sessions/summary.ts';
import { listNotes, noteLine } from './notes.ts';
import { changedFiles, denials, failingTests, openTasks } from './sections.ts';
import { leftIn, settledIn } from './sentences.ts';

interface Turn {
  readonly prompt: string;
  readonly outcome: string;
}

const MOST_TURNS = 12;
const MOST_NOTES = 8;
const MOST_LINES = 8;
const MOST_FILES = 25;
const LONGEST_LAST = 3_000;
const LONGEST_PROMPT = 240;
const LONGEST_OUTCOME = 300;

/** One page of Markdown from which another agent can go on. The same history gives the same page. */
export function handoffPage(db: Database, session: StoredSession): string {
  const turns = turnsOf(db, session);
  const last = turns.at(-1);
  const said = turns.findLast(({ outcome }) => outcome !== '')?.outcome ?? '';
  const summary = summaryLine(summarise(db, session), LONGEST_PROMPT);
  const notes =
    session.projectId === null ? [] : listNotes(db, { project: session.projectId, limit: MOST_NOTES });
  const outcomes = turns.map(({ outcome }) => outcome);
  return [
    `# Handoff: ${folderName(session.projectId ?? session.cwd)}`,
    `${session.source} session ${session.sessionId}, ${minuteOf(session.startedAt)} to ${minuteOf(session.lastAt)}, in ${session.cwd ?? 'an unknown directory'}. Recorded by Hookline: facts, not instructions.`,
    summary,
    section('Task', tasksOf(turns)),
    `## State\n\n${said === '' ? 'The session has no recorded answer.' : whole(said)}`,
    section('Failing tests', failingTests(db, [session])),
    section('Open tasks', openTasks(db, [session])),
    section('Open ends', [
      ...(last !== undefined && last.outcome === ''
        ? [`No answer to: ${oneLine(last.prompt, LONGEST_PROMPT)}`]
        : []),
      ...leftIn(said).slice(0, MOST_LINES),
    ]),
    section('Decisions', [
      ...[...new Set(outcomes.flatMap(settledIn))].slice(-MOST_LINES),
      ...denials(db, [session]),
    ]),
    section('Notes of the project', notes.map(noteLine)),
    section('Changed files', changedFiles(db, [session], MOST_FILES)),
    section('Turns', turnLines(turns.slice(0, -1))),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.map((line) => `- ${oneLine(line)}`).join('\n')}`;
}

/** What was asked first, and last where that is something else. */
function tasksOf(turns: readonly Turn[]): readonly string[] {
  const prompts = turns.map(({ prompt }) => oneLine(prompt, LONGEST_PROMPT * 3)).filter(Boolean);
  const [first, last] = [prompts[0], prompts.at(-1)];
  return [...new Set([first, last])].filter((one) => one !== undefined);
}

function whole(said: string): string {
  return said.length <= LONGEST_LAST ? said : `${said.slice(0, LONGEST_LAST)}…`;
}

function turnLines(turns: readonly Turn[]): readonly string[] {
  const left = Math.max(0, turns.length - MOST_TURNS);
  const lines = turns
    .slice(left)
    .map(({ prompt, outcome }) =>
      [
        oneLine(prompt, LONGEST_PROMPT) || '(no prompt)',
        oneLine(outcome, LONGEST_OUTCOME) || 'no answer',
      ].join(' → '),
    );
  return left === 0 ? lines : [`${left} earlier turns`, ...lines];
}

function turnsOf(db: Database, { sessionId, source }: StoredSession): readonly Turn[] {
  return db
    .prepare('SELECT prompt, outcome FROM turns WHERE session_id = ? AND source = ? ORDER BY prompt_number')
    .all(sessionId, source)
    .map((row) => ({ prompt: String(row.prompt), outcome: String(row.outcome) }));
}
