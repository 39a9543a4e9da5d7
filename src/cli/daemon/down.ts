import { stopDaemon } from '../../client/client.ts';
import { endHungDaemon } from '../../client/hung.ts';
import { requireAccessHere } from '../../client/require-access.ts';
import { homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'down',
  summary: 'Stop the daemon and wait until it exits. Rules still apply: the forwarder evaluates them.',
  options: {},
  examples: [['hookline down', 'the next tool call starts it again']],
  asScript: true,
  async run() {
    const paths = homePaths();
    // A daemon that hangs can't check the caller, so this command checks it.
    const mayEnd = () => requireAccessHere(paths, 'stop');
    const stopped = await stopDaemon(paths, () => endHungDaemon(paths, mayEnd));
    console.log(stopped ? 'Stopped.' : 'The daemon was not running.');
    return 0;
  },
});
