type Summaries = Readonly<Record<string, string>>;

/** Every command that the help lists, by what it is for. Nothing is loaded for it. */
export const GROUPS: Readonly<Record<string, Summaries>> = {
  'Set up': {
    setup: 'Put Hookline into an agent’s settings.',
    remove: 'Take Hookline out again, byte for byte.',
    doctor: 'Find out what is wrong, and how to fix it.',
    status: 'Show the daemon and the agents.',
    daemon: 'Run the daemon here, or in the background.',
    demo: 'See three agents at work, without having one.',
  },
  'Watch and answer': {
    exec: 'Run an agent headless, under your rules.',
    watch: 'See all agents on one screen, and answer them.',
    open: 'Open the dashboard, also to your phone.',
    approvals: 'Show what waits for you, and answer it.',
  },
  'Look back': {
    events: 'List what the agents did, one row a call.',
    sessions: 'List the sessions; show or share one.',
    search: 'Find what was asked, run, changed and said.',
    why: 'Show how one call was decided.',
  },
  'Rules and hooks': {
    rules: 'See, add, check and test the rules.',
    hooks: 'Write, list and try hooks; move them here.',
  },
  Data: {
    history: 'Count, export, prune and forget what is recorded.',
  },
};

/** Commands that are a part of another. Each also works by itself: `hookline approve` is `hookline approvals approve`. */
const UNLISTED: Summaries = {
  welcome: 'Set up question by question.',
  statusline: 'One line for an agent’s status line.',
  completions: 'Let a shell complete the commands.',
  'script-key': 'Keys with which your own scripts may decide.',
  devices: 'List, limit and revoke paired phones.',
  fleet: 'Join other machines: one record of all of them.',
  up: 'Start the daemon in the background.',
  down: 'Stop the daemon.',
  approve: 'Allow a pending call.',
  deny: 'Refuse a pending call.',
  leave: 'Leave a pending call to the agent’s own prompt.',
  away: 'Leave, and answer from elsewhere.',
  back: 'End away mode, and see what happened meanwhile.',
  notify: 'Show or try where notifications go that you can answer.',
  grants: 'Standing answers, valid on every agent.',
  show: 'Tell one session from beginning to end.',
  share: 'Write a session as a page to share.',
  try: 'Ask what would happen to a tool call, without making it.',
  backtest: 'See what changed rules would have done to recorded calls.',
  trust: 'Let a project’s own rules do more than deny and ask.',
  unlock: 'Pause protected rules for a while.',
  matrix: 'Show what each agent can do with each effect.',
  import: 'Move hooks from agents’ settings behind Hookline.',
  lint: 'Find what is out of date in hook scripts and settings.',
  record: 'Write down what an agent sends to hooks.',
  stats: 'Count tools, files, failures, cost and tokens.',
  export: 'Write the history out, or send it on.',
  recover: 'Take what can still be read out of a damaged database.',
  verify: 'Check the record for tampering.',
  prune: 'Delete what is too old or too much.',
  forget: 'Delete a session, a project or words permanently.',
  memory: 'Show what a new session would be given.',
  mcp: 'Serve the history to agents.',
};

/** Which commands each has as parts. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  setup: ['completions', 'statusline', 'script-key', 'fleet'],
  daemon: ['up', 'down', 'status'],
  open: ['devices'],
  approvals: ['approve', 'deny', 'leave', 'grants', 'away', 'back', 'notify'],
  sessions: ['show', 'share'],
  rules: ['try', 'backtest', 'trust', 'unlock', 'matrix'],
  hooks: ['import', 'lint', 'record'],
  history: ['stats', 'export', 'verify', 'recover', 'prune', 'forget', 'memory', 'mcp'],
};

export const SUMMARIES: Summaries = Object.assign({}, ...Object.values(GROUPS), UNLISTED);

export function isListed(name: string): boolean {
  return Object.values(GROUPS).some((group) => Object.hasOwn(group, name));
}

/** In the order of the help: a part after what it is a part of. */
export function fullName(name: string): string {
  const parent = isListed(name) ? undefined : Object.keys(PARTS).find((one) => PARTS[one]?.includes(name));
  return parent === undefined ? name : `${parent} ${name}`;
}
