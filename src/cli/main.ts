import { HooklineError } from '../model/errors.ts';
import { guardConsole } from '../terminal/console.ts';
import { VERSION } from '../version.ts';
import { type Command, columns } from './command.ts';
import { paint } from './paint.ts';
import { typedHere } from './program.ts';

type Load = () => Promise<{ default: Command }>;

/** Every command with its one-line summary; the code behind it is loaded when it is called. */
const COMMANDS: Readonly<Record<string, readonly [summary: string, load: Load]>> = {
  setup: ['Put Hookline into an agent’s settings.', () => import('./commands/setup.ts')],
  welcome: ['Set up question by question.', () => import('./commands/welcome.ts')],
  remove: ['Take Hookline out again, byte for byte.', () => import('./commands/remove.ts')],
  doctor: ['Find out what is wrong, and how to fix it.', () => import('./commands/doctor.ts')],
  status: ['Show the daemon and the agents.', () => import('./commands/status.ts')],
  statusline: ['One line for an agent’s status line.', () => import('./commands/statusline.ts')],
  up: ['Start the daemon in the background.', () => import('./commands/up.ts')],
  down: ['Stop the daemon.', () => import('./commands/down.ts')],
  daemon: ['Run the daemon here and watch what happens.', () => import('./commands/daemon.ts')],
  events: ['List what the agents did.', () => import('./commands/events.ts')],
  why: ['Show how one event was decided.', () => import('./commands/why.ts')],
  sessions: ['List the sessions, one line each.', () => import('./commands/sessions.ts')],
  show: ['Tell one session from beginning to end.', () => import('./commands/show.ts')],
  search: ['Find what was asked, run, changed and said.', () => import('./commands/search.ts')],
  stats: ['Count tools, files, failures, cost and tokens.', () => import('./commands/stats.ts')],
  memory: ['Show what a new session would be given.', () => import('./commands/memory.ts')],
  mcp: ['Serve the history to agents.', () => import('./commands/mcp.ts')],
  export: ['Write the history out, or send it on.', () => import('./commands/export.ts')],
  forget: ['Delete a session, a project or words permanently.', () => import('./commands/forget.ts')],
  prune: ['Delete what is too old or too much.', () => import('./commands/prune.ts')],
  open: ['Open the dashboard.', () => import('./commands/open.ts')],
  demo: ['See three agents at work, without having one.', () => import('./commands/demo.ts')],
  share: ['Write a session as a page to share.', () => import('./commands/share.ts')],
  watch: ['See all agents on one screen, and answer them.', () => import('./commands/watch.ts')],
  grants: ['Standing answers, valid on every agent.', () => import('./commands/grants.ts')],
  approvals: ['Show pending approvals.', () => import('./commands/approvals.ts')],
  approve: ['Allow a pending call.', () => import('./commands/approve.ts')],
  deny: ['Refuse a pending call.', () => import('./commands/deny.ts')],
  leave: ['Leave a pending call to the agent’s own prompt.', () => import('./commands/leave.ts')],
  matrix: ['Show what each agent can do with each effect.', () => import('./commands/matrix.ts')],
  hooks: ['Write, list and try hooks, and see what they cost.', () => import('./commands/hooks.ts')],
  import: ['Move hooks from agents’ settings behind Hookline.', () => import('./commands/import.ts')],
  lint: ['Find what is out of date in hook scripts and settings.', () => import('./commands/lint.ts')],
  rules: ['See, check and test the rules.', () => import('./commands/rules.ts')],
  backtest: [
    'See what changed rules would have done to recorded calls.',
    () => import('./commands/backtest.ts'),
  ],
  trust: ['Let a project’s own rules do more than deny and ask.', () => import('./commands/trust.ts')],
  'script-key': ['Keys with which your own scripts may decide.', () => import('./commands/script-key.ts')],
  unlock: ['Pause protected rules for a while.', () => import('./commands/unlock.ts')],
  try: ['Ask what would happen to a tool call, without making it.', () => import('./commands/try.ts')],
};

async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '--version' || name === '-v') {
    console.log(VERSION);
    return 0;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const asked = rest[0] === undefined ? null : await commandOf(rest[0]);
    if (asked) return asked.run(['--help']);
    console.log(await overview());
    return 0;
  }
  const command = await commandOf(name === '' ? await commandAlone() : name);
  if (!command) {
    throw new HooklineError('USAGE', `There is no command "${name}".`, { hint: nearest(name) });
  }
  return command.run(rest);
}

/** Alone it shows where one stands and what to do next; whoever is new here is led there. */
async function commandAlone(): Promise<'welcome' | 'status'> {
  const { isNewHere } = await import('./new-here.ts');
  return isNewHere() ? 'welcome' : 'status';
}

async function commandOf(name: string): Promise<Command | null> {
  if (Object.hasOwn(COMMANDS, name)) return (await COMMANDS[name]?.[1]())?.default ?? null;
  return (await agentCommands()).get(name) ?? null;
}

/** Some agents have a command of their own name. */
async function agentCommands(): Promise<ReadonlyMap<string, Command>> {
  return (await import('./commands/run-agent.ts')).agentCommands();
}

async function overview(): Promise<string> {
  const agents = [...(await agentCommands())].map(([name, { summary }]) => [name, summary]);
  return [
    `${paint.bold('hookline')} ${VERSION}: one hook layer for every coding agent.`,
    '',
    `${paint.bold('Usage')}  hookline <command> [options]`,
    '',
    paint.bold('Commands'),
    ...columns([...Object.entries(COMMANDS).map(([name, [summary]]) => [name, summary]), ...agents]),
    '',
    'Every command explains itself: hookline <command> --help',
  ].join('\n');
}

function nearest(name: string): string {
  const close = Object.keys(COMMANDS).find((known) => known.startsWith(name) || name.startsWith(known));
  return close ? `Did you mean \`hookline ${close}\`?` : 'See `hookline --help`.';
}

/** The one place that turns an error into words and an exit code. Never 2: to an agent that would mean "block". */
function report(error: unknown): number {
  if (error instanceof HooklineError) {
    console.error(`${paint.red('hookline:')} ${error.message}`);
    if (error.hint) console.error(typedHere(error.hint));
  } else {
    console.error(`${paint.red('hookline:')} this should not have happened.`);
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    console.error('Please report it, with what you did before.');
  }
  return 1;
}

// Everything that was recorded, read or typed is foreign: none of it may act on the terminal.
guardConsole();

// A reader that goes away, as in `hookline events | head`, ends the program without a word.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

// What is thrown where nobody waits for it is reported in the same words, and goes through the same door.
process.on('uncaughtException', (error) => {
  process.exit(report(error));
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.exitCode = report(error);
  },
);
