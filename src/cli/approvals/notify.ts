import { tryChannels } from '../../client/away.ts';
import { connect, connectOrStart } from '../../client/client.ts';
import { type Config, configMarks } from '../../home/config.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { pendingLine } from '../../home/confirmed/pending.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { ntfyTopics, ntfyWarnings } from '../../notify/secrets.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';
import { typedHere } from '../program.ts';

export default defineCommand({
  name: 'notify',
  summary: 'Show or test notification channels, including the ntfy topic to subscribe to.',
  words: '[test]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline notify', 'keep the topic secret: anyone who knows it can answer for you'],
    ['hookline notify test', 'sends a test to every channel'],
  ],
  asScript: true,
  access: () => 'notify',
  async run({ json }, [what]) {
    const paths = homePaths();
    if (what !== undefined && what !== 'test')
      throw usage('notify', `Unknown argument "${what}". Use "test".`);
    if (what === 'test') return tryAll(paths, json === true);
    const config = configInForce(paths);
    const channels = channelsIn(config, paths);
    const inForce = await isInForce(paths, config);
    if (json) {
      console.log(JSON.stringify({ channels, inForce }));
      return 0;
    }
    if (channels.length === 0)
      console.log(
        'No notification channel is set up. Add ntfy, Telegram or Slack under `notify` in config.yaml (docs/approvals.md).',
      );
    for (const { name, details, warnings } of channels) {
      console.log(paint.bold(name));
      console.log(columns(Object.entries(details).map(([key, value]) => [key, value])).join('\n'));
      for (const { message, fix } of warnings) console.log(paint.yellow(folded(`  ${message} ${fix}`, 2)));
    }
    if (!inForce) console.log(paint.yellow(folded(typedHere(STALE))));
    const unconfirmed = pendingLine(paths);
    if (unconfirmed !== null) console.log(paint.yellow(folded(typedHere(unconfirmed))));
    return 0;
  },
});

const STALE =
  'Not active yet: `notify` changed after the daemon started. Run `hookline down`, then `hookline up`.';

/** True if the running daemon uses these channels. Otherwise the next one will. */
async function isInForce(paths: HomePaths, config: Config): Promise<boolean> {
  const status = await (await connect(paths))?.status();
  return status === undefined || status.config.notify === configMarks(config).notify;
}

interface Shown {
  readonly name: string;
  readonly details: Readonly<Record<string, string>>;
  readonly warnings: readonly { readonly message: string; readonly fix: string }[];
}

function channelsIn({ notify: { ntfy, telegram, slack } }: Config, paths: HomePaths): readonly Shown[] {
  const shown: Shown[] = [];
  if (ntfy) {
    const topics = ntfyTopics(paths, ntfy);
    const subscribe = `${ntfy.server.replace(/\/+$/, '')}/${topics.topic}`;
    const details = { subscribe, answers: topics.replyTopic, detail: ntfy.detail };
    shown.push({ name: 'ntfy', details, warnings: ntfyWarnings(ntfy) });
  }
  if (telegram) {
    const who = telegram.users.length > 0 ? telegram.users.join(', ') : 'anyone in that chat';
    const details = { chat: String(telegram.chat), answers: who, detail: telegram.detail };
    shown.push({ name: 'Telegram', details, warnings: [] });
  }
  if (slack) {
    const who = slack.users.length > 0 ? slack.users.join(', ') : 'anyone in that channel';
    shown.push({
      name: 'Slack',
      details: { channel: slack.channel, answers: who, detail: slack.detail },
      warnings: [],
    });
  }
  return shown;
}

async function tryAll(paths: HomePaths, json: boolean): Promise<number> {
  const { client } = await connectOrStart(paths);
  const tried = await tryChannels(client);
  if (json) console.log(JSON.stringify({ channels: tried }));
  else if (tried.length === 0)
    console.log('No channel is active. If you changed `notify`, run `hookline down`, then `hookline up`.');
  else
    for (const { name, problem } of tried)
      console.log(problem === null ? `${name}: sent.` : paint.red(`${name}: not sent, ${problem}.`));
  return tried.length > 0 && tried.every(({ problem }) => problem === null) ? 0 : 1;
}
