import { connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'up',
  summary: 'Start the daemon in the background. Returns when it answers; does nothing if it runs already.',
  options: {},
  examples: [
    ['hookline up', 'start it'],
    ['hookline status', 'see it'],
  ],
  async run() {
    const { client, started } = await connectOrStart(homePaths());
    console.log(`${started ? 'Started' : 'Already running'}: pid ${client.info.pid}, ${client.info.http}`);
    return 0;
  },
});
