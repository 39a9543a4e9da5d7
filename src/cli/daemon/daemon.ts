import { existsSync, statSync } from 'node:fs';
import { endHungDaemon } from '../../client/hung.ts';
import { type Daemon, runDaemon } from '../../daemon/run-daemon.ts';
import { warmUp } from '../../daemon/warm-up.ts';
import { startFailed, startSucceeded } from '../../home/daemon/start-mark.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { keepCode } from '../../platform/code-cache.ts';
import { daemonAnswersProbe } from '../../wire/ask-probe.ts';
import { defineCommand, flag } from '../command.ts';
import { paint } from '../output/paint.ts';
import { printCalls } from '../output/print-calls.ts';
import { programName } from '../program.ts';

/** Time that running calls get to finish when the home is deleted. */
const LOST_HOME_MS = 400;

function isDeleted(folder: string): boolean {
  return (statSync(folder, { throwIfNoEntry: false })?.nlink ?? 0) === 0;
}

function isTaken(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'DAEMON_RUNNING';
}

/**
 * A daemon that hangs still holds the home but answers no calls. The forwarder that finds no daemon starts one, and so
 * acts as the watchdog.
 */
async function runInPlaceOfHung(...given: Parameters<typeof runDaemon>): Promise<Daemon> {
  try {
    return await runDaemon(...given);
  } catch (error) {
    if (!isTaken(error) || !(await endHungDaemon(given[0]))) throw error;
    return runDaemon(...given);
  }
}

export default defineCommand({
  name: 'daemon',
  summary: 'Run the daemon in the foreground and print events. Stop with Ctrl-C.',
  options: { quiet: flag('Print nothing.') },
  examples: [
    ['hookline daemon', 'print events as they arrive'],
    ['hookline up', 'run it in the background'],
  ],
  async run({ quiet }) {
    const paths = homePaths();
    // A background daemon starts in its home, and must not recreate a home that was deleted.
    if (isDeleted('.') && !existsSync(paths.root)) return 1;
    const program = programName();
    // Links in /proc lead from a process to its working directory.
    process.env.HOOKLINE_HOME = paths.root;
    process.chdir('/');
    const leave = () => void setTimeout(() => process.exit(1), LOST_HOME_MS).unref();
    const daemon = await runInPlaceOfHung(paths, { lost: leave }).catch(async (error: unknown) => {
      // If a daemon that another call started now answers, the next call after its end must start one at once.
      if (isTaken(error) && (await daemonAnswersProbe(paths.root))) startSucceeded(paths);
      else startFailed(paths);
      throw error;
    });
    startSucceeded(paths);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void daemon.stop());
    // Not essential. A failure here also fails calls, which report it.
    void warmUp(daemon)
      .catch(() => {})
      .then(keepCode);
    if (!quiet) {
      console.log(`${paint.bold('hookline')} ${daemon.info.version} is running, pid ${daemon.info.pid}`);
      console.log(`  home    ${paths.root}`);
      console.log(`  socket  ${daemon.info.socket}`);
      console.log(`  API     ${daemon.info.http}`);
      for (const { where, message } of daemon.home.rules.inForce(null).problems) {
        console.log(`  ${paint.yellow('rules')}   ${where}: ${message}`);
      }
      console.log('');
      console.log(`Next: in another terminal, ${paint.bold(`${program} setup`)}, then use your agent.`);
      console.log(`Or try Hookline with three recorded sessions: ${paint.bold(`${program} demo`)}`);
      if (program !== 'hookline')
        console.log(`${paint.bold('npm run install:global')} installs the \`hookline\` command.`);
      console.log('Events appear here:');
      const printer = printCalls();
      daemon.hub.feed.subscribe(printer.event);
      daemon.hub.approvals.queue.subscribe((approval) => printer.waiting([approval]));
    }
    await daemon.stopped;
    return 0;
  },
});
