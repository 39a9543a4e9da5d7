import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, flag, usage } from '../command.ts';

export default defineCommand({
  name: 'watch',
  summary: 'Watch all agents and answer approvals. While it is open, approvals arrive here.',
  options: {
    fleet: flag('Show calls on all machines of the fleet, one line each.'),
    json: flag('With --fleet: one JSON object per line.'),
  },
  examples: [
    ['hookline watch', 'press ? for the keys'],
    ['hookline approvals', 'approvals without a terminal'],
    ['hookline watch --fleet', 'all machines of the fleet; also works without a terminal'],
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
    if (json) throw usage('watch', '--json needs --fleet.');
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new HooklineError('USAGE', 'This command needs a terminal.', {
        hint: 'Without one, use `hookline events --follow` and `hookline approvals`.',
      });
    }
    const { runTui } = await import('../../tui/run-tui.ts');
    await runTui(paths);
    return 0;
  },
});
