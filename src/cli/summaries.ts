type Summaries = Readonly<Record<string, string>>;

/** Every listed command, by purpose. Loads nothing. */
export const GROUPS: Readonly<Record<string, Summaries>> = {
  'Set up': {
    setup: "Install Hookline's hooks in your agents.",
    remove: 'Remove the hooks and restore the original settings.',
    doctor: 'Find problems and how to fix them.',
    status: 'Show daemon and agent status.',
    up: 'Start the daemon in the background.',
    daemon: 'Run or manage the daemon.',
    demo: 'Try Hookline with three recorded sessions.',
  },
  'Run and approve': {
    exec: 'Run an agent headless under your rules.',
    watch: 'Watch all agents and answer approvals.',
    open: 'Open the dashboard, here or on your phone.',
    approvals: 'List and answer pending approvals.',
  },
  Inspect: {
    events: 'List tool calls, one row per call.',
    sessions: 'List, show and share sessions.',
    search: 'Search prompts, commands, files and replies.',
    why: 'Explain the decision on a call.',
  },
  'Rules and hooks': {
    rules: 'List, add, check and test rules.',
    try: 'Show what would happen to a tool call.',
    hooks: 'Create, list, test and import hooks.',
  },
  Data: {
    history: 'Export, verify, prune and delete history.',
  },
};

/**
 * Commands that are part of another one. Each also works on its own: `hookline approve` is `hookline approvals
 * approve`.
 */
const UNLISTED: Summaries = {
  welcome: 'Guided setup.',
  statusline: "Print the text for an agent's status line.",
  completions: 'Print a shell completion script.',
  'script-key': 'Manage keys that let your scripts act as you.',
  devices: 'List, limit and revoke paired phones.',
  fleet: 'Share history, rules and approvals between machines.',
  down: 'Stop the daemon.',
  approve: 'Allow a pending call.',
  deny: 'Deny a pending call.',
  leave: "Hand a pending call back to the agent's own prompt.",
  away: 'Turn on away mode.',
  back: 'Turn off away mode and show what happened.',
  notify: 'Show or test notification channels.',
  grants: 'List, add and revoke grants.',
  show: 'Show one session as a timeline.',
  share: 'Export a session as a web page.',
  backtest: 'Test changed rules against recorded calls.',
  trust: "Trust a project's rules and hooks.",
  unlock: 'Pause protected rules temporarily.',
  matrix: 'Show what each agent supports.',
  import: 'Move hooks from agent settings to Hookline.',
  lint: 'Find outdated hook scripts and settings.',
  record: 'Capture what an agent sends to hooks.',
  stats: 'Count tools, files, failures, cost and tokens.',
  export: 'Export as JSON Lines or to OpenTelemetry.',
  recover: 'Recover data from a damaged database.',
  verify: 'Check the history for tampering.',
  prune: 'Delete history beyond the retention limits.',
  forget: 'Permanently delete a session, project or text.',
  memory: 'Show the memory a new session would get.',
  note: 'Record a decision for later sessions.',
  handoff: 'Print one page another agent can start from.',
  mcp: 'Serve the history over MCP.',
};

/** The parts of each command. */
export const PARTS: Readonly<Record<string, readonly string[]>> = {
  setup: ['completions', 'statusline', 'script-key', 'fleet'],
  daemon: ['up', 'down', 'status'],
  open: ['devices'],
  approvals: ['approve', 'deny', 'leave', 'grants', 'away', 'back', 'notify'],
  sessions: ['show', 'share', 'handoff'],
  rules: ['try', 'backtest', 'trust', 'unlock', 'matrix'],
  hooks: ['import', 'lint', 'record'],
  history: ['stats', 'export', 'verify', 'recover', 'prune', 'forget', 'memory', 'note', 'mcp'],
};

export const SUMMARIES: Summaries = Object.assign({}, ...Object.values(GROUPS), UNLISTED);

export function isListed(name: string): boolean {
  return Object.values(GROUPS).some((group) => Object.hasOwn(group, name));
}

/** In the order of the help: a part follows its command. */
export function fullName(name: string): string {
  const parent = isListed(name) ? undefined : Object.keys(PARTS).find((one) => PARTS[one]?.includes(name));
  return parent === undefined ? name : `${parent} ${name}`;
}
