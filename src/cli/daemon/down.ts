import { stopDaemon } from '../../client/client.ts';
import { endHungDaemon } from '../../client/hung.ts';
import { requireAccessHere } from '../../client/require-access.ts';
import { homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'down',
  summary:
    'Stop the daemon. Returns when it is gone. Guards stay: hooks then judge by the same rules themselves.',
  options: {},
  examples: [['hookline down', 'stop it until the next hook call starts it again']],
  asScript: true,
  async run() {
    const paths = homePaths();
    // One that hangs cannot find out who asks, so that is done here.
    const mayEnd = () => requireAccessHere(paths, 'stop');
    const stopped = await stopDaemon(paths, () => endHungDaemon(paths, mayEnd));
    console.log(stopped ? 'Stopped.' : 'No daemon was running.');
    return 0;
  },
});
