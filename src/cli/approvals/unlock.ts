import { randomInt } from 'node:crypto';
import { connect, connectOrStart } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { MOST_UNLOCK_MINUTES } from '../../model/people/unlocked.ts';
import { forTerminal } from '../../terminal/style.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'unlock',
  summary: "Pause protected rules so an agent can change Hookline's files or its own hook settings.",
  options: {
    minutes: value('N', `For this many minutes (default: 15, at most ${MOST_UNLOCK_MINUTES}).`),
    lock: flag('Protect them again now.'),
  },
  examples: [
    ['hookline unlock --minutes 5', 'asks you to type a code; needs a terminal outside tmux and screen'],
    ['ssh -t HOST hookline unlock', 'the same on a remote machine'],
    ['hookline unlock --lock', 'protect them again'],
  ],
  // Checked here as well as in the daemon, so that an attempt that fails at the prompt is recorded too.
  access: ({ lock }) => (lock ? null : 'unlock'),
  async run({ minutes = '15', lock }) {
    const paths = homePaths();
    if (lock) {
      // Without a daemon, no rules are paused.
      const client = await connect(paths);
      await client?.post('/api/lock', {});
      console.log('Protected.');
      return 0;
    }
    const span = Number(minutes);
    if (!(span > 0 && span <= MOST_UNLOCK_MINUTES))
      throw usage('unlock', `--minutes takes a number up to ${MOST_UNLOCK_MINUTES}.`);
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw new HooklineError('USAGE', 'Unlocking needs a person at a terminal.', {
        hint: 'Run it yourself in a terminal, not from an agent or a script.',
      });
    }
    const word = String(randomInt(1_000, 10_000));
    const { text, isCancel } = await import('@clack/prompts');
    const typed = await text({
      message: forTerminal(`Type ${paint.bold(word)} to pause protected rules for ${span} minutes`),
    });
    if (isCancel(typed) || typed !== word) {
      console.log('Protected rules are still active.');
      return 1;
    }
    const { client } = await connectOrStart(paths);
    await client.post('/api/unlock', { minutes: span });
    console.log(
      `Protected rules are paused for ${span} minutes or until the daemon stops. Run \`hookline unlock --lock\` to protect them again.`,
    );
    return 0;
  },
});
