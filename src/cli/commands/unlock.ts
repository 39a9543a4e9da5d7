import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { defineCommand, usage } from '../command.ts';
import { paint } from '../paint.ts';

const MOST_MINUTES = 60;

export default defineCommand({
  name: 'unlock',
  summary:
    'Let protected rules rest for a while, so that an agent may change Hookline’s files or its own hook settings.',
  options: {
    minutes: { type: 'string', value: 'N', description: `For how long (15, at most ${MOST_MINUTES}).` },
    lock: { type: 'boolean', description: 'End it now.' },
  },
  examples: [
    ['hookline unlock --minutes 5', 'asks you to type a word, so that no script can do it'],
    ['hookline unlock --lock', 'protect them again'],
  ],
  async run({ minutes = '15', lock }) {
    const paths = homePaths(homeFolder());
    if (lock) {
      rmSync(paths.unlock, { force: true });
      console.log('Protected.');
      return 0;
    }
    const span = Number(minutes);
    if (!(span > 0 && span <= MOST_MINUTES))
      throw usage('unlock', `--minutes is a number up to ${MOST_MINUTES}.`);
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new HooklineError('USAGE', 'Unlocking needs a person at a terminal.', {
        hint: 'Run it yourself in a terminal, not from an agent or a script.',
      });
    }
    const word = String(Math.floor(1000 + Math.random() * 9000));
    const { text, isCancel } = await import('@clack/prompts');
    const typed = await text({
      message: `Type ${paint.bold(word)} to let protected rules rest for ${span} minutes`,
    });
    if (isCancel(typed) || typed !== word) {
      console.log('Nothing was unlocked.');
      return 1;
    }
    mkdirSync(paths.run, { recursive: true, mode: 0o700 });
    writeFileSync(paths.unlock, String(Date.now() + span * 60_000), { mode: 0o600 });
    console.log(`Unlocked for ${span} minutes. \`hookline unlock --lock\` ends it.`);
    return 0;
  },
});
