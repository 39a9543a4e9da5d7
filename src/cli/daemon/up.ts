import { connectOrStart } from '../../client/client.ts';
import { pendingLine } from '../../home/confirmed/pending.ts';
import { homePaths } from '../../home/paths.ts';
import { readProgramRecord } from '../../home/program-record.ts';
import { folded } from '../../terminal/fold.ts';
import { VERSION } from '../../version.ts';
import { defineCommand } from '../command.ts';
import { paint } from '../output/paint.ts';
import { tellProgramRecord } from '../setup/program-record.ts';

export default defineCommand({
  name: 'up',
  summary: 'Start the daemon in the background and wait until it is ready.',
  options: {},
  examples: [
    ['hookline up', 'start the daemon'],
    ['hookline status', 'show its status'],
  ],
  async run() {
    const paths = homePaths();
    const { client, started } = await connectOrStart(paths);
    console.log(`${started ? 'Started' : 'Already running'}: pid ${client.info.pid}, ${client.info.http}`);
    // Only an upgrade changes the version. For the same version, `setup` installs what has changed.
    const recorded = readProgramRecord(paths);
    if (recorded !== null && recorded.version !== VERSION) await tellProgramRecord(paths);
    const waiting = pendingLine(paths);
    if (waiting !== null) console.log(paint.red(folded(waiting)));
    return 0;
  },
});
