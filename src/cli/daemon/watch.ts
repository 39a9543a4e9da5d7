import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, flag, usage } from '../command.ts';

export default defineCommand({
  name: 'watch',
  summary:
    'See all agents on one screen, and answer what they ask. While it is open, they wait for you here.',
  options: {
    fleet: flag('What agents do on all machines of the fleet, one line each.'),
    json: flag('With --fleet: one JSON object a line.'),
  },
  examples: [
    ['hookline watch', '? shows the keys'],
    ['hookline approvals', 'the same without a terminal'],
    ['hookline watch --fleet', 'every machine of the team; works without a terminal, too'],
  ],
  async run({ fleet, json }) {
    const paths = homePaths();
    if (fleet) {
      const { watchFleet } = await import('../fleet/watch.ts');
      const interrupt = new AbortController();
      process.once('SIGINT', () => interrupt.abort());
      await watchFleet(paths, json ?? false, interrupt.signal);
      return 0;
    }
    if (json) throw usage('watch', '--json goes with --fleet.');
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new HooklineError('USAGE', 'This needs a terminal.', {
        hint: '`hookline events --follow` and `hookline approvals` work without one.',
      });
    }
    const { runTui } = await import('../../tui/run-tui.ts');
    await runTui(paths);
    return 0;
  },
});
