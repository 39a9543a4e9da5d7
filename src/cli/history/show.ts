import { readObserved } from '../../client/observed.ts';
import { toBrief } from '../../history/calls/event-brief.ts';
import { sessionState } from '../../history/calls/session-state.ts';
import { type Turn, turnsOf } from '../../history/calls/turns.ts';
import { withWaiting } from '../../history/calls/waiting.ts';
import { latestSession, readSession, type SessionStory } from '../../history/sessions/story.ts';
import { summaryLine } from '../../history/sessions/summary.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { minuteOf } from '../../model/text.ts';
import type { Database } from '../../store/database/driver.ts';
import { waitingApprovals } from '../../store/read/approvals.ts';
import { listEvents } from '../../store/read/queries.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { paint } from '../output/paint.ts';
import { lineWidth } from '../output/row-line.ts';
import { turnLines } from '../output/turn-lines.ts';

export default defineCommand({
  name: 'show',
  summary: 'Show one session as a timeline, one row per call.',
  words: '<session>',
  options: {
    last: flag('The most recently active session.'),
    all: flag('Include protocol events.'),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline show 3f2a', 'the start of an ID is enough'],
    ['hookline show --last', 'the latest session'],
    ['hookline show 3f2a --json | jq .transcript.gaps', 'calls that no hook reported'],
  ],
  async run({ json, last, all }, [id]) {
    if (id === undefined && !last)
      throw usage(
        'show',
        'Missing session ID. Run `hookline sessions` to list them, or pass --last for the newest.',
      );
    const now = Date.now();
    const shown = await readObserved(homePaths(), (db) => {
      const story = readSession(db, id ?? latestSession(db)?.sessionId ?? '');
      return story && { story, turns: turnsIn(db, story, now) };
    });
    if (shown === null) {
      throw new HooklineError('NOT_FOUND', id === undefined ? 'No sessions yet.' : `Unknown session ${id}.`, {
        hint: 'Run `hookline sessions` to list them.',
      });
    }
    const { story, turns } = shown;
    console.log(json ? JSON.stringify(story) : sessionLines(story, turns, all ?? false, now).join('\n'));
    return 0;
  },
});

function turnsIn(
  db: Database,
  { session: { source, sessionId } }: SessionStory,
  now: number,
): readonly Turn[] {
  const its = { source, session: sessionId };
  return turnsOf(withWaiting(listEvents(db, its).map(toBrief), waitingApprovals(db, its, now)), now);
}

function sessionLines(
  { session, summary, transcript }: SessionStory,
  turns: readonly Turn[],
  all: boolean,
  now: number,
): string[] {
  return [
    `${paint.bold(session.source)} ${session.sessionId}${session.cwd ? `, in ${session.cwd}` : ''}${onBranches(turns)}`,
    folded(
      `${paint.dim(`${minuteOf(session.startedAt)}, ${sessionState(session, now)}`)}  ${summaryLine(summary)}`,
      2,
    ),
    ...turns.flatMap((turn) => turnLines(turn, all, lineWidth())),
    ...transcriptLines(transcript),
  ];
}

function onBranches(turns: readonly Turn[]): string {
  const events = turns.flatMap(({ items }) =>
    items.flatMap((item) => (item.kind === 'call' ? item.call.events : [item.event])),
  );
  const branches = [...new Set(events.flatMap(({ branch }) => branch ?? []))];
  return branches.length === 0 ? '' : ` on ${branches.join(', ')}`;
}

function transcriptLines(transcript: SessionStory['transcript']): string[] {
  if (transcript === null) return [];
  const { inputTokens, outputTokens, cacheReadTokens, costUsd, interrupts, gaps } = transcript;
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`;
  return [
    '',
    `${paint.bold('Tokens')}  ${inputTokens} in, ${outputTokens} out, ${cacheReadTokens} from cache${cost}`,
    ...(interrupts > 0 ? [paint.yellow(`Interrupted ${interrupts} times.`)] : []),
    ...gaps.map((gap) => paint.red(`No hook reported: ${gap.tool} ${gap.input.slice(0, 100)}`)),
  ];
}
