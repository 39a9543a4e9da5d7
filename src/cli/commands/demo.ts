import { type Approval, endOf } from '../../approvals/approval.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { folded } from '../../terminal/fold.ts';
import { openInBrowser } from '../browser.ts';
import { defineCommand, usage } from '../command.ts';
import { type Demo, openDemo } from '../demo/run.ts';
import { demoCard, demoKey } from '../demo-keys.ts';
import { paint } from '../paint.ts';
import { printCalls } from '../print-calls.ts';
import { programName } from '../program.ts';

export default defineCommand({
  name: 'demo',
  summary: 'See three agents at work, and answer them. Needs no agent; leaves nothing behind.',
  options: {
    open: { type: 'boolean', description: 'Open the dashboard at once.' },
    stay: { type: 'boolean', description: 'Do not end with the last session, but with Ctrl-C.' },
    speed: { type: 'string', value: 'N', description: 'N times as fast (1).' },
  },
  examples: [
    ['hookline demo', 'in the terminal; o opens the dashboard'],
    ['hookline demo --open --stay', 'with time to look around'],
  ],
  async run({ open, stay, speed }) {
    const pace = Number(speed ?? 1);
    if (!(pace > 0)) throw usage('demo', '--speed is a number above 0.');
    const isWatched = open || stay || (process.stdin.isTTY && process.stdout.isTTY);
    const demo = await openDemo(pace, isWatched ? 'always' : 'surface');
    const end = new AbortController();
    const leave = () => end.abort();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
    const stopKeys = listen(demo, leave);
    try {
      await introduce(demo, open ?? false);
      demo.daemon.hub.feed.subscribe(printCalls().event);
      demo.daemon.hub.approvals.queue.subscribe((approval) => console.log(approvalNews(approval).join('\n')));
      await untilOver(demo, stay ?? false, end.signal);
    } finally {
      leave();
      stopKeys();
      await demo.close();
    }
    console.log('');
    console.log(
      folded(
        `That was a recording; its home is gone. ${paint.bold(`${programName()} setup`)} puts Hookline into your agents.`,
      ),
    );
    return 0;
  },
});

async function introduce(demo: Demo, open: boolean): Promise<void> {
  console.log(paint.bold('Three recorded sessions of coding agents, played through the real engine.'));
  console.log(`  home       ${demo.paths.root} ${paint.dim('(removed at the end)')}`);
  console.log(`  terminal   ${paint.dim(`HOOKLINE_HOME=${demo.paths.root} ${programName()} watch`)}`);
  console.log(`  dashboard  ${await showDashboard(demo, open)}`);
  console.log('');
}

async function showDashboard(demo: Demo, open: boolean): Promise<string> {
  const url = demo.daemon.dashboardLink();
  if (open) await openInBrowser(url);
  return url;
}

function approvalNews(approval: Approval): string[] {
  if (approval.state === 'pending') return demoCard(approval);
  return [paint.bold(`${approval.id} ${endOf(approval)}`)];
}

/** Ends with the last session; with somebody at the dashboard, only when they leave. */
async function untilOver(demo: Demo, stay: boolean, signal: AbortSignal): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await Promise.race([demo.play(signal), aborted]);
  if (signal.aborted) return;
  if (!stay && demo.daemon.hub.approvals.surfaces() === 0) return;
  console.log(`The sessions have ended. ${paint.bold('Ctrl-C')} ends the demo and removes its home.`);
  await Promise.race([demo.daemon.stopped, aborted]);
}

/** Single keys answer the oldest that waits. Returns the way to give the terminal back. */
function listen(demo: Demo, leave: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY) return () => {};
  const { queue } = demo.daemon.hub.approvals;
  const onKey = (data: Buffer) => {
    const waiting = queue.pending()[0] ?? null;
    const meant = demoKey(data.toString(), waiting);
    if (meant === 'leave') leave();
    else if (meant === 'open') void showDashboard(demo, true).then((url) => console.log(`Dashboard: ${url}`));
    else if (meant && waiting) {
      const { answer } = meant;
      const state = answer.decision === 'allow' ? 'allowed' : 'denied';
      queue.settle(waiting.id, { state, answer, by: `${whoDecides()} (demo)` });
      const next = queue.pending()[0];
      if (next) console.log(demoCard(next).join('\n'));
    }
  };
  stdin.setRawMode(true);
  stdin.resume();
  stdin.on('data', onKey);
  return () => {
    stdin.off('data', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
