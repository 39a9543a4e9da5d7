import { type Approval, settlementText } from '../../approvals/approval.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, usage, value } from '../command.ts';
import { isAtTerminal } from '../confirm.ts';
import { approvalLines } from '../output/approval-lines.ts';
import { openInBrowser } from '../output/browser.ts';
import { paint } from '../output/paint.ts';
import { printCalls } from '../output/print-calls.ts';
import { programName, typedHere } from '../program.ts';
import { type Demo, openDemo } from './open-demo.ts';

export default defineCommand({
  name: 'demo',
  summary:
    'Replay three recorded sessions while you answer the approvals. Needs no agent and leaves no files.',
  options: {
    open: flag('Open the dashboard right away.'),
    stay: flag('Keep running until Ctrl-C.'),
    speed: value('N', 'Replay N times as fast (default: 1).'),
  },
  examples: [
    ['hookline demo', 'in the terminal UI; press q to quit'],
    ['hookline demo --open --stay', 'keep it open to look around'],
  ],
  async run({ open, stay, speed }) {
    const pace = Number(speed ?? 1);
    if (!(pace > 0)) throw usage('demo', '--speed takes a number above 0.');
    const demo = await openDemo(pace, open || stay ? 'always' : 'surface');
    const end = new AbortController();
    const leave = () => end.abort();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    try {
      await introduce(demo, open ?? false);
      if (isAtTerminal()) await watched(demo, end.signal);
      else await printed(demo, stay ?? false, end.signal);
    } finally {
      leave();
      await demo.close();
    }
    console.log('');
    console.log(folded(typedHere('Demo finished and removed. Run `hookline setup` to set up your agents.')));
    return 0;
  },
});

async function introduce(demo: Demo, open: boolean): Promise<void> {
  console.log(paint.bold('Three recorded sessions, replayed with the real rules.'));
  console.log(`  home       ${demo.paths.root} ${paint.dim('(removed at the end)')}`);
  console.log(
    `  terminal   ${isAtTerminal() ? 'hookline watch, here; q quits' : paint.dim(`HOOKLINE_HOME=${demo.paths.root} ${programName()} watch`)}`,
  );
  console.log(`  dashboard  ${await showDashboard(demo, open)}`);
  console.log('');
}

async function showDashboard(demo: Demo, open: boolean): Promise<string> {
  const url = demo.daemon.dashboardLink();
  if (open) await openInBrowser(url);
  return url;
}

/** Runs the terminal UI of `hookline watch` until the user quits. */
async function watched(demo: Demo, signal: AbortSignal): Promise<void> {
  const { runTui } = await import('../../tui/run-tui.ts');
  // Waits for the screen. Before it is there, approvals would go to the agent's own prompt, which the demo lacks.
  const closeSurface = demo.daemon.hub.approvals.attach();
  void demo.play(signal);
  try {
    await runTui(demo.paths);
  } finally {
    closeSurface();
  }
}

/** Prints one row per call and each approval, for output that is not a terminal. */
async function printed(demo: Demo, stay: boolean, signal: AbortSignal): Promise<void> {
  const { feed, approvals } = demo.daemon.hub;
  feed.subscribe(printCalls().event);
  approvals.queue.subscribe((approval) => console.log(approvalNews(approval).join('\n')));
  await untilOver(demo, stay, signal);
}

function approvalNews(approval: Approval): string[] {
  if (approval.state === 'pending') return ['', ...approvalLines(approval), ''];
  return [paint.bold(`${approval.id} ${settlementText(approval)}`)];
}

/** Ends with the last session, or, if the dashboard is open, when the user closes it. */
async function untilOver(demo: Demo, stay: boolean, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([demo.play(signal), aborted]);
  if (signal.aborted) return;
  if (!stay && demo.daemon.hub.approvals.surfaces() === 0) return;
  console.log(`The sessions have ended. Press ${paint.bold('Ctrl-C')} to end the demo and remove its home.`);
  await Promise.race([demo.daemon.stopped, aborted]);
}
