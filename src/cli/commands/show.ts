import { readObserved } from '../../client/observed.ts';
import { readSession, type SessionStory } from '../../history/session-story.ts';
import { summaryLine } from '../../history/session-summary.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, usage } from '../command.ts';
import { observationLine } from '../observation-line.ts';
import { paint } from '../paint.ts';

export default defineCommand({
  name: 'show',
  summary: 'Tell one session from its beginning to its end.',
  words: '<session>',
  options: { json: { type: 'boolean', description: 'As one JSON object.' } },
  examples: [
    ['hookline show 3f2a', 'the beginning of an id is enough'],
    ['hookline show 3f2a --json | jq .transcript.gaps', 'calls that no hook reported'],
  ],
  async run({ json }, [id]) {
    if (id === undefined) throw usage('show', 'Which session? `hookline sessions` lists them.');
    const story = await readObserved(homePaths(homeFolder()), (db) => readSession(db, id));
    if (story === null) {
      throw new HooklineError('NOT_FOUND', `There is no session ${id}.`, {
        hint: '`hookline sessions` lists them.',
      });
    }
    console.log(json ? JSON.stringify(story) : storyLines(story).join('\n'));
    return 0;
  },
});

function storyLines({ session, summary, timeline, transcript }: SessionStory): string[] {
  const began = new Date(session.startedAt).toISOString();
  return [
    `${paint.bold(session.source)} ${session.sessionId}${session.cwd ? `, in ${session.cwd}` : ''}`,
    `${paint.dim(began)}  ${summaryLine(summary)}`,
    '',
    ...timeline.map(observationLine),
    ...(transcript === null
      ? []
      : [
          '',
          `${paint.bold('Tokens')}  ${transcript.inputTokens} in, ${transcript.outputTokens} out, ${transcript.cacheReadTokens} from cache${transcript.costUsd === null ? '' : `, ${transcript.costUsd.toFixed(4)} USD`}`,
          ...(transcript.interrupts > 0 ? [paint.yellow(`Interrupted ${transcript.interrupts} times.`)] : []),
          ...transcript.gaps.map((gap) =>
            paint.red(`No hook reported: ${gap.tool} ${gap.input.slice(0, 100)}`),
          ),
        ]),
  ];
}
