import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand } from '../command.ts';

export default defineCommand({
  name: 'watch',
  summary:
    'See all agents on one screen, and answer what they ask. While it is open, they wait for you here.',
  options: {},
  examples: [
    ['hookline watch', '? shows the keys'],
    ['hookline approvals', 'the same without a terminal'],
  ],
  async run() {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new HooklineError('USAGE', 'This needs a terminal.', {
        hint: '`hookline events --follow` and `hookline approvals` work without one.',
      });
    }
    const { runTui } = await import('../../tui/run.ts');
    await runTui(homePaths(homeFolder()));
    return 0;
  },
});
