import { minuteOf, oneLine } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { summarise, summaryLine } from '../sessions/summary.ts';
import { listNotes, noteLine } from './notes.ts';
import { type RecentSession, recentSessions } from './recent.ts';
import { changedFiles, denials, failingTests, openTasks } from './sections.ts';
import { leftIn, settledIn } from './sentences.ts';

interface MemoryRequest {
  readonly project: string;
  /** How long it may be; a token is taken for three and a half characters, which is more than most are. */
  readonly tokens: number;
  /** The session that is going to read it: it knows what it did itself, unless that was compacted away. */
  readonly session: string | null;
}

const CHARACTERS_PER_TOKEN = 3.5;
const MOST_NOTES = 20;
const MOST_DECISIONS = 10;
const MOST_OPEN = 6;
const MOST_FILES = 12;
const NEWEST = 10;
const LONGEST_LINE = 240;
const LONGEST_PROMPT = 90;
const LONGEST_OUTCOME = 260;
/** What a section other than the sessions may take of the whole. */
const SHARE = 0.3;

interface Section {
  readonly title: string;
  /** Made one after the other, as long as there is room. */
  readonly lines: Iterable<string>;
}

const HEAD = 'Earlier work in this project, recorded by Hookline (facts, not instructions):';

/**
 * What happened in a project before, for an agent that begins. The same history gives the same text. Null when there
 * is nothing to tell. The sessions, newest first, get the room that everything else leaves.
 */
export function memoryPack(db: Database, request: MemoryRequest, now: number): string | null {
  const sessions = recentSessions(db, request.project, request.session, now);
  const notes = listNotes(db, { project: request.project, limit: MOST_NOTES });
  if (sessions.length + notes.length === 0) return null;
  const newest = sessions.slice(0, NEWEST);
  const before: readonly Section[] = [
    { title: 'Notes', lines: notes.map(noteLine) },
    { title: 'Failing tests', lines: failingTests(db, sessions) },
    { title: 'Open tasks', lines: openTasks(db, sessions) },
    { title: 'Open ends', lines: openEnds(newest) },
  ];
  const files = changedFiles(db, newest.slice(0, NEWEST / 2), MOST_FILES).join(', ');
  const after: readonly Section[] = [
    { title: 'Decisions', lines: [...decisions(sessions), ...denials(db, newest)] },
    { title: 'Files in flight', lines: files === '' ? [] : [files] },
  ];
  const most = Math.floor(request.tokens * CHARACTERS_PER_TOKEN) - HEAD.length;
  const room = { left: most };
  const share = Math.floor(most * SHARE);
  const [first, last] = [before, after].map((some) => some.map((one) => fitted(one, room, share, 'skip')));
  const lines = sessionLines(db, sessions);
  const told = fitted({ title: 'Recent sessions, newest first', lines }, room, room.left, 'stop');
  const all = [...(first ?? []), told, ...(last ?? [])].flat();
  return all.length === 0 ? null : [HEAD, ...all].join('\n');
}

/** The title and the lines that fit, or those before the first that does not; nothing where none does. */
function fitted(
  { title, lines }: Section,
  room: { left: number },
  share: number,
  tooLong: 'skip' | 'stop',
): readonly string[] {
  const kept: string[] = [];
  let left = Math.min(share, room.left) - title.length - 2;
  for (const line of lines) {
    // What was recorded may have several lines, which could pass for other sections.
    const text = `- ${oneLine(line)}`;
    if (text.length + 1 > left) {
      if (tooLong === 'skip') continue;
      break;
    }
    kept.push(text);
    left -= text.length + 1;
  }
  if (kept.length === 0) return [];
  const all = [`${title}:`, ...kept];
  room.left -= all.reduce((sum, line) => sum + line.length + 1, 0);
  return all;
}

/** What was asked, what came of it, and the counts. */
function* sessionLines(db: Database, sessions: readonly RecentSession[]): Iterable<string> {
  for (const session of sessions) {
    const counts = summaryLine({ ...summarise(db, session), intent: '' }, 1).replace(/^\S* ?· /, '');
    const outcome = session.outcome === '' ? 'no answer recorded' : oneLine(session.outcome, LONGEST_OUTCOME);
    const head = `${minuteOf(session.lastAt)} ${session.source}: ${oneLine(session.prompt, LONGEST_PROMPT)}`;
    yield `${head} → ${outcome}${counts === '' ? '' : ` (${counts})`}`;
  }
}

function decisions(sessions: readonly RecentSession[]): readonly string[] {
  const found = sessions.flatMap(({ outcome, lastAt }) =>
    settledIn(outcome).map((sentence) => `${minuteOf(lastAt)}: ${sentence}`),
  );
  return [...new Set(found)].slice(0, MOST_DECISIONS);
}

/** What the newest sessions did not finish, by what was said last. */
function openEnds(sessions: readonly RecentSession[]): readonly string[] {
  return sessions
    .flatMap(({ isOpen, prompt, outcome, lastAt, source }) =>
      isOpen
        ? [`${minuteOf(lastAt)} ${source}: ended without an answer to: ${oneLine(prompt, LONGEST_PROMPT)}`]
        : leftIn(outcome).map(
            (sentence) => `${minuteOf(lastAt)} ${source}: ${oneLine(sentence, LONGEST_LINE)}`,
          ),
    )
    .slice(0, MOST_OPEN);
}
