import type { Command } from './command.ts';
import { SUMMARIES } from './summaries.ts';

type Load = () => Promise<{ default: Command }>;

/** The code behind each command is loaded when it is called. */
const LOADS: Readonly<Record<string, Load>> = {
  setup: () => import('./commands/setup.ts'),
  remove: () => import('./commands/remove.ts'),
  doctor: () => import('./commands/doctor.ts'),
  status: () => import('./commands/status.ts'),
  daemon: () => import('./commands/daemon.ts'),
  demo: () => import('./commands/demo.ts'),
  watch: () => import('./commands/watch.ts'),
  open: () => import('./commands/open.ts'),
  devices: () => import('./commands/devices.ts'),
  approvals: () => import('./commands/approvals.ts'),
  events: () => import('./commands/events.ts'),
  sessions: () => import('./commands/sessions.ts'),
  search: () => import('./commands/search.ts'),
  why: () => import('./commands/why.ts'),
  rules: () => import('./commands/rules.ts'),
  try: () => import('./commands/try.ts'),
  hooks: () => import('./commands/hooks.ts'),
  history: () => import('./commands/history.ts'),
  welcome: () => import('./commands/welcome.ts'),
  statusline: () => import('./commands/statusline.ts'),
  completions: () => import('./commands/completions.ts'),
  'script-key': () => import('./commands/script-key.ts'),
  up: () => import('./commands/up.ts'),
  down: () => import('./commands/down.ts'),
  approve: () => import('./commands/approve.ts'),
  deny: () => import('./commands/deny.ts'),
  leave: () => import('./commands/leave.ts'),
  grants: () => import('./commands/grants.ts'),
  show: () => import('./commands/show.ts'),
  share: () => import('./commands/share.ts'),
  backtest: () => import('./commands/backtest.ts'),
  trust: () => import('./commands/trust.ts'),
  unlock: () => import('./commands/unlock.ts'),
  matrix: () => import('./commands/matrix.ts'),
  import: () => import('./commands/import.ts'),
  lint: () => import('./commands/lint.ts'),
  stats: () => import('./commands/stats.ts'),
  export: () => import('./commands/export.ts'),
  recover: () => import('./commands/recover.ts'),
  verify: () => import('./commands/verify.ts'),
  prune: () => import('./commands/prune.ts'),
  forget: () => import('./commands/forget.ts'),
  memory: () => import('./commands/memory.ts'),
  mcp: () => import('./commands/mcp.ts'),
};

export const COMMANDS: Readonly<Record<string, readonly [summary: string, load: Load]>> = Object.fromEntries(
  Object.entries(LOADS).map(([name, load]) => [name, [SUMMARIES[name] ?? '', load]]),
);
