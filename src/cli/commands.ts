import type { Command } from './command.ts';

type Load = () => Promise<{ default: Command }>;
type Table = Readonly<Record<string, readonly [summary: string, load: Load]>>;

/** Every command that the help lists, by what it is for; the code behind it is loaded when it is called. */
export const GROUPS: Readonly<Record<string, Table>> = {
  'Set up': {
    setup: ['Put Hookline into an agent’s settings.', () => import('./commands/setup.ts')],
    remove: ['Take Hookline out again, byte for byte.', () => import('./commands/remove.ts')],
    doctor: ['Find out what is wrong, and how to fix it.', () => import('./commands/doctor.ts')],
    status: ['Show the daemon and the agents.', () => import('./commands/status.ts')],
    daemon: ['Run the daemon here, or in the background.', () => import('./commands/daemon.ts')],
    demo: ['See three agents at work, without having one.', () => import('./commands/demo.ts')],
  },
  'Watch and answer': {
    watch: ['See all agents on one screen, and answer them.', () => import('./commands/watch.ts')],
    open: ['Open the dashboard.', () => import('./commands/open.ts')],
    approvals: ['Show what waits for you, and answer it.', () => import('./commands/approvals.ts')],
  },
  'Look back': {
    events: ['List what the agents did, one row a call.', () => import('./commands/events.ts')],
    sessions: ['List the sessions; show or share one.', () => import('./commands/sessions.ts')],
    search: ['Find what was asked, run, changed and said.', () => import('./commands/search.ts')],
    why: ['Show how one call was decided.', () => import('./commands/why.ts')],
  },
  'Rules and hooks': {
    rules: ['See, add, check and test the rules.', () => import('./commands/rules.ts')],
    try: ['Ask what would happen to a tool call, without making it.', () => import('./commands/try.ts')],
    hooks: ['Write, list and try hooks; move them here.', () => import('./commands/hooks.ts')],
  },
  Data: {
    history: ['Count, export, prune and forget what is recorded.', () => import('./commands/history.ts')],
  },
};

/** Commands that are a part of another. Each also works by itself: `hookline approve` is `hookline approvals approve`. */
const UNLISTED: Table = {
  welcome: ['Set up question by question.', () => import('./commands/welcome.ts')],
  statusline: ['One line for an agent’s status line.', () => import('./commands/statusline.ts')],
  completions: ['Let a shell complete the commands.', () => import('./commands/completions.ts')],
  'script-key': ['Keys with which your own scripts may decide.', () => import('./commands/script-key.ts')],
  up: ['Start the daemon in the background.', () => import('./commands/up.ts')],
  down: ['Stop the daemon.', () => import('./commands/down.ts')],
  approve: ['Allow a pending call.', () => import('./commands/approve.ts')],
  deny: ['Refuse a pending call.', () => import('./commands/deny.ts')],
  leave: ['Leave a pending call to the agent’s own prompt.', () => import('./commands/leave.ts')],
  grants: ['Standing answers, valid on every agent.', () => import('./commands/grants.ts')],
  show: ['Tell one session from beginning to end.', () => import('./commands/show.ts')],
  share: ['Write a session as a page to share.', () => import('./commands/share.ts')],
  backtest: [
    'See what changed rules would have done to recorded calls.',
    () => import('./commands/backtest.ts'),
  ],
  trust: ['Let a project’s own rules do more than deny and ask.', () => import('./commands/trust.ts')],
  unlock: ['Pause protected rules for a while.', () => import('./commands/unlock.ts')],
  matrix: ['Show what each agent can do with each effect.', () => import('./commands/matrix.ts')],
  import: ['Move hooks from agents’ settings behind Hookline.', () => import('./commands/import.ts')],
  lint: ['Find what is out of date in hook scripts and settings.', () => import('./commands/lint.ts')],
  stats: ['Count tools, files, failures, cost and tokens.', () => import('./commands/stats.ts')],
  export: ['Write the history out, or send it on.', () => import('./commands/export.ts')],
  prune: ['Delete what is too old or too much.', () => import('./commands/prune.ts')],
  forget: ['Delete a session, a project or words permanently.', () => import('./commands/forget.ts')],
  memory: ['Show what a new session would be given.', () => import('./commands/memory.ts')],
  mcp: ['Serve the history to agents.', () => import('./commands/mcp.ts')],
};

/** Which commands each has as parts. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  setup: ['completions', 'statusline', 'script-key'],
  daemon: ['up', 'down', 'status'],
  approvals: ['approve', 'deny', 'leave', 'grants'],
  sessions: ['show', 'share'],
  rules: ['backtest', 'trust', 'unlock', 'matrix'],
  hooks: ['import', 'lint'],
  history: ['stats', 'export', 'prune', 'forget', 'memory', 'mcp'],
};

export const COMMANDS: Table = Object.assign({}, ...Object.values(GROUPS), UNLISTED);

export function isListed(name: string): boolean {
  return Object.values(GROUPS).some((group) => Object.hasOwn(group, name));
}

/** In the order of the help: a part after what it is a part of. */
export function fullName(name: string): string {
  const parent = isListed(name) ? undefined : Object.keys(PARTS).find((one) => PARTS[one]?.includes(name));
  return parent === undefined ? name : `${parent} ${name}`;
}
