import { fetchAwaySummary, goAway } from '../../client/away.ts';
import { connect, connectOrStart } from '../../client/client.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { homePaths } from '../../home/paths.ts';
import { awayText } from '../../model/people/away.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { awayLines } from '../output/away-lines.ts';
import { paint } from '../output/paint.ts';
import { spanOf } from '../values.ts';
import { endAway } from './end-away.ts';

export default defineCommand({
  name: 'away',
  summary:
    'Turn on away mode. Calls stay pending as long as the agent allows, and you get notifications. Answers from a phone apply once.',
  options: {
    until: value('TIME', 'Until this time of day, such as 18:00.'),
    for: value('SPAN', 'For this long, such as 2h or 30m.'),
    off: flag('Turn off away mode, like `hookline back`.'),
    summary: flag('Only show what happened since away mode was turned on, or during the last time.'),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline away', 'until `hookline back`'],
    ['hookline away --until 18:00', 'until tomorrow if that time has passed'],
    ['hookline away --for 2h', 'or until `hookline back`'],
    ['hookline away --summary --json', 'for scripts; changes nothing'],
  ],
  asScript: true,
  // Checked here too, so that a caller without permission doesn't start the daemon.
  access: ({ summary }) => (summary ? null : 'away'),
  async run({ until, for: span, off, summary, json }) {
    if (off) return endAway(json === true);
    const paths = homePaths();
    if (summary) {
      const client = await connect(paths);
      const found = client ? await fetchAwaySummary(client) : null;
      if (json) console.log(JSON.stringify(found));
      else console.log(found ? awayLines(found).join('\n') : 'Away mode has not been used yet.');
      return 0;
    }
    const { client } = await connectOrStart(paths);
    const state = await goAway(client, endTime(until, span, Date.now()));
    if (json) {
      console.log(JSON.stringify(state));
      return 0;
    }
    console.log(folded(awayText(state)));
    const { ntfy, telegram, slack } = configInForce(paths).notify;
    if (!ntfy && !telegram && !slack)
      console.log(
        paint.yellow(
          folded(
            'No notification channel is set up. Add ntfy, Telegram or Slack to config.yaml (docs/approvals.md).',
          ),
        ),
      );
    return 0;
  },
});

/** When away mode ends, in ms since the epoch; null until `hookline back`. */
export function endTime(until: string | undefined, span: string | undefined, now: number): number | null {
  if (until !== undefined && span !== undefined)
    throw usage('away', 'Use either --until or --for, not both.');
  if (span !== undefined) return now + spanOf('away', 'for', span);
  if (until === undefined) return null;
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(until.trim()) ?? [];
  if (hours === undefined) throw usage('away', `--until takes a time such as 18:00, not "${until}".`);
  const end = new Date(now);
  end.setHours(Number(hours), Number(minutes), 0, 0);
  // Sets the date instead of adding a day, because days with a clock change are shorter or longer.
  if (end.getTime() <= now) end.setDate(end.getDate() + 1);
  return end.getTime();
}
