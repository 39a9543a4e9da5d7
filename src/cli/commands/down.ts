import { stopDaemon } from '../../client/client.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'down',
  summary:
    'Stop the daemon. Returns when it is gone. Guards stay: hooks then judge by the same rules themselves.',
  options: {},
  examples: [['hookline down', 'stop it until the next hook call starts it again']],
  asScript: true,
  async run() {
    const stopped = await stopDaemon(homePaths(homeFolder()));
    console.log(stopped ? 'Stopped.' : 'No daemon was running.');
    return 0;
  },
});
