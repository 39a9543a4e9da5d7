import { pruneHistory } from '../../client/observed.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { homePaths } from '../../home/paths.ts';
import { counted } from '../../model/text.ts';
import { defineCommand, flag } from '../command.ts';

export default defineCommand({
  name: 'prune',
  summary: 'Delete history beyond the `retention` limits in config.yaml.',
  options: { json: flag('As one JSON object.') },
  examples: [['hookline prune', 'the daemon also does this once a day']],
  asScript: true,
  async run({ json }) {
    const paths = homePaths();
    const { days, megabytes } = configInForce(paths).retention;
    const { events, sessions, bytes } = await pruneHistory(paths);
    if (json) console.log(JSON.stringify({ events, sessions, bytes }));
    else {
      if (days === null && megabytes === null) {
        console.log(
          'Nothing to prune: `retention` is not set. Example: `retention: {days: 90, megabytes: 2000}`.',
        );
      }
      console.log(
        `Deleted ${counted(events, 'event')} and ${counted(sessions, 'session')}. The history now takes ${Math.ceil(bytes / 2 ** 20)} MB.`,
      );
    }
    return 0;
  },
});
