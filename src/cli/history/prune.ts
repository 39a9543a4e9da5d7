import { pruneHistory } from '../../client/observed.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { homePaths } from '../../home/paths.ts';
import { counted } from '../../model/text.ts';
import { defineCommand, flag } from '../command.ts';

export default defineCommand({
  name: 'prune',
  summary: 'Delete what is older, or takes more room, than `retention` in config.yaml wants.',
  options: { json: flag('As one JSON object.') },
  examples: [['hookline prune', 'the daemon does the same once a day']],
  asScript: true,
  async run({ json }) {
    const paths = homePaths();
    const { days, megabytes } = configInForce(paths).retention;
    const { events, sessions, bytes } = await pruneHistory(paths);
    if (json) console.log(JSON.stringify({ events, sessions, bytes }));
    else {
      if (days === null && megabytes === null) {
        console.log(
          'Everything is kept: config.yaml has no retention, such as `retention: {days: 90, megabytes: 2000}`.',
        );
      }
      console.log(
        `Deleted ${counted(events, 'event')} and ${counted(sessions, 'session')}. The history has ${Math.ceil(bytes / 2 ** 20)} MB.`,
      );
    }
    return 0;
  },
});
