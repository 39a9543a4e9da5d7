import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { type Scope, scopesOf } from '../../agents/setup/setup.ts';
import { fetchApprovals } from '../../client/approvals.ts';
import { connect, type DaemonStatus } from '../../client/client.ts';
import { isPublicAddress } from '../../daemon/phone/addresses.ts';
import type { Config } from '../../home/config.ts';
import { unchangedConfig } from '../../home/confirmed/unchanged.ts';
import { lockHolder } from '../../home/daemon/lock-holder.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { findWritableByOthers } from '../../home/ownership.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { alertText, UNCONFIRMED } from '../../model/alert.ts';
import { awayText } from '../../model/people/away.ts';
import { unlockedText } from '../../model/people/unlocked.ts';
import { counted, minuteOf } from '../../model/text.ts';
import { folded } from '../../terminal/fold.ts';
import { agentContext } from '../agents/agent-context.ts';
import { hookedContexts } from '../agents/hooked.ts';
import { defineCommand, flag } from '../command.ts';
import { type ForwarderInUse, forwarderInUse, forwarderText, slowText } from '../forwarder-in-use.ts';
import { columns } from '../output/columns.ts';
import { paint } from '../output/paint.ts';
import { programName, typedHere } from '../program.ts';

/** Longer than a responsive daemon ever takes. */
const ANSWER_MS = 3_000;

export default defineCommand({
  name: 'status',
  summary: 'Show daemon and agent status, and what to do next.',
  options: { json: flag('As one JSON object.') },
  examples: [['hookline status --json | jq .daemon', 'null if the daemon is not running']],
  async run({ json }) {
    const paths = homePaths();
    // Agents are slow to print their version, so everything else runs at the same time.
    const { config, waiting } = await settingsHere(paths);
    const asked = Promise.all([...AGENTS.values()].map((agent) => agentStatus(agent, paths, config)));
    const client = await connect(paths, ANSWER_MS);
    const status = await client?.status();
    const { ruleProblems, ruleRemarks, hookProblems } = await problemsHere(paths, status);
    const agents = await asked;
    const forwarder = await forwarderInUse(paths, config, client !== null);
    if (json) {
      const { daemon = null, events = null, rules = null, hooks = [] } = status ?? {};
      const { unlockedUntil = null, alerts = [], unrecorded = null, away = null } = status ?? {};
      const found = { ruleProblems, ruleRemarks, hookProblems, unconfirmed: waiting };
      const known = { events, rules, hooks, ...found, unlockedUntil, alerts, unrecorded };
      const { phone = null, devices = [] } = status ?? {};
      console.log(
        JSON.stringify({ daemon, home: paths.root, ...known, away, phone, devices, forwarder, agents }),
      );
      return 0;
    }
    console.log(paint.bold('Daemon'));
    const open = findWritableByOthers(paths);
    const running = status ? runningLines(status) : [notRunning(paths, open !== null)];
    for (const line of daemonLines(running, forwarder)) console.log(line);
    if (open) console.log(paint.red(`  ${open.message}\n  ${open.fix}`));
    if (status?.unlockedUntil)
      console.log(paint.yellow(folded(`  ${unlockedText(status.unlockedUntil)}`, 2)));
    if (status?.away) console.log(paint.yellow(folded(`  ${awayText(status.away)}`, 2)));
    if (waiting !== null) console.log(paint.red(typedHere(folded(`  ${waiting}`, 2))));
    for (const line of alertLines(status)) console.log(line);
    for (const { where, message } of [...ruleProblems, ...hookProblems])
      console.log(paint.red(`  ${where}: ${message}`));
    for (const { where, message, never } of ruleRemarks)
      console.log((never ? paint.red : paint.yellow)(`  ${where}: ${message}`));
    for (const { name, state, failures, problem } of status?.hooks ?? [])
      if (state === 'paused' || failures > 0)
        console.log(
          paint.yellow(
            `  hook ${name}${state === 'paused' ? ' is paused' : ''}: ${failures} failures, last: ${problem}`,
          ),
        );
    console.log(`\n${paint.bold('Agents')}`);
    console.log(columns(agents.map((one) => [one.label, describe(one)])).join('\n'));
    const pending = client ? (await fetchApprovals(client)).pending.length : 0;
    console.log(`\n${pending > 0 ? pendingStep(pending) : nextStep(agents)}`);
    return 0;
  },
});

/** The daemon, the forwarder that leads to it, and why it is slow if it is. */
function daemonLines(
  running: readonly (readonly string[])[],
  forwarder: ForwarderInUse | null,
): readonly string[] {
  if (forwarder === null) return columns(running);
  const slow = slowText(forwarder);
  return [
    ...columns([...running, ['forwarder', forwarderText(forwarder)]]),
    ...(slow === null ? [] : [paint.yellow(folded(`  ${slow}`, 2))]),
  ];
}

/** The active settings, and changes that need confirmation. Usually there are none, and then no rules are read. */
async function settingsHere(paths: HomePaths): Promise<{ config: Config; waiting: string | null }> {
  const unchanged = unchangedConfig(paths);
  if (unchanged !== null) return { config: unchanged, waiting: null };
  const [{ configInForce }, { pendingLine }] = await Promise.all([
    import('../../home/confirmed/in-force.ts'),
    import('../../home/confirmed/pending.ts'),
  ]);
  return { config: configInForce(paths), waiting: pendingLine(paths) };
}

/** All problems, and the latest notices. */
function alertLines(status: DaemonStatus | undefined): readonly string[] {
  const { alerts = [], unrecorded = { waiting: 0, dropped: 0 } } = status ?? {};
  // Looks for unconfirmed changes itself, with or without a daemon.
  const problems = alerts.filter(({ level, code }) => level === 'problem' && code !== UNCONFIRMED);
  const notices = alerts.filter(({ level }) => level === 'notice').slice(-3);
  const { waiting, dropped } = unrecorded;
  return [
    ...(waiting + dropped > 0
      ? [paint.red(`  ${counted(waiting, 'call')} not recorded yet, ${dropped} discarded`)]
      : []),
    ...problems.map((one) => paint.red(folded(`  ${alertText(one)}`, 2))),
    ...notices.map((one) => paint.dim(folded(`  ${minuteOf(Date.parse(one.at))} ${alertText(one)}`, 2))),
  ];
}

type Problems = Pick<DaemonStatus, 'ruleProblems' | 'ruleRemarks' | 'hookProblems'>;

/**
 * A daemon loads the hooks and files of a project with the first call in it, and knows no problems before. In other
 * directories it knows all problems, and reading the rules again would take longer than the rest of the command.
 */
async function problemsHere(paths: HomePaths, status: DaemonStatus | undefined): Promise<Problems> {
  const unread = [join(createProjectFinder()(process.cwd()), '.hookline'), paths.hooks, paths.hooksFile];
  if (status && !unread.some((path) => existsSync(path))) return status;
  const { distinct, hookProblemsHere, ruleFindingsHere } = await import('../rules/file-problems.ts');
  const { ruleProblems = [], ruleRemarks = [], hookProblems = [] } = status ?? {};
  const { problems, remarks } = ruleFindingsHere(paths);
  return {
    ruleProblems: [...distinct([...ruleProblems, ...problems])],
    ruleRemarks: [...distinct([...ruleRemarks, ...remarks])],
    hookProblems: [...distinct([...hookProblems, ...(await hookProblemsHere(paths))])],
  };
}

function runningLines(status: DaemonStatus): readonly string[][] {
  const { daemon, events, rules, hooks } = status;
  return [
    [
      'running',
      `pid ${daemon.pid}, version ${daemon.version}, since ${minuteOf(Date.parse(daemon.startedAt))}`,
    ],
    ['API', daemon.http],
    ...phoneLines(status),
    ['history', counted(events, 'event')],
    ['active', `${counted(rules, 'rule')} (including packs), ${counted(hooks.length, 'hook')}`],
  ];
}

function phoneLines({ phone, devices }: DaemonStatus): readonly string[][] {
  if (phone === null) return [];
  const paired = `${counted(devices.length, 'device')}${devices.length > 0 ? `: ${devices.map(({ name }) => name).join(', ')}` : ''}`;
  if (phone.url === null)
    return [['phone', paint.red(`not listening on ${phone.address}: ${phone.problem ?? 'starting'}`)]];
  const isOpen = isPublicAddress(phone.address) ? paint.yellow(' (public)') : '';
  return [['phone', `${phone.url}${isOpen}, ${paired}`]];
}

function notRunning(paths: HomePaths, isOpen: boolean): readonly string[] {
  const holder = existsSync(paths.lock) ? lockHolder(paths) : null;
  if (holder !== null)
    return [
      'not responding',
      typedHere(`pid ${holder}; the next call replaces it, or run \`hookline down\``),
    ];
  const why = isOpen
    ? "won't start while other users can write to its home"
    : typedHere('starts on the next tool call, or with `hookline up`');
  return ['not running', why];
}

function pendingStep(pending: number): string {
  const program = programName();
  const calls = pending === 1 ? '1 pending approval' : `${pending} pending approvals`;
  return `${calls}. Run ${paint.bold(`${program} watch`)} or ${paint.bold(`${program} approvals`)}.`;
}

interface AgentStatus {
  readonly id: string;
  readonly label: string;
  readonly installed: boolean;
  readonly version: string | null;
  readonly setUp: boolean;
  readonly problems: readonly string[];
}

async function agentStatus(agent: Agent, paths: HomePaths, config: Config): Promise<AgentStatus> {
  const contextOf = (scope: Scope) => agentContext(paths, scope, config);
  // If only a project is set up, its settings are checked.
  const context = hookedContexts(agent, contextOf)[0] ?? contextOf(scopesOf(agent.setup)[0]);
  const { installed, version } = await agent.setup.detect(context);
  const findings = agent.setup.inspect(context);
  return {
    id: agent.id,
    label: agent.label,
    installed,
    version,
    setUp: !findings.some(({ code }) => code === 'not-set-up'),
    problems: findings.filter(({ level }) => level === 'problem').map(({ message }) => message),
  };
}

function describe({ installed, version, setUp, problems }: AgentStatus): string {
  const client = installed ? (version ?? 'installed') : 'not installed';
  const trouble =
    setUp && problems.length > 0
      ? `, ${counted(problems.length, 'problem')} (see \`${programName()} doctor\`)`
      : '';
  return `${client}, ${setUp ? 'set up' : 'not set up'}${trouble}`;
}

function nextStep(agents: readonly AgentStatus[]): string {
  const program = programName();
  const [missing, ...more] = agents.filter(({ installed, setUp }) => installed && !setUp);
  if (missing) {
    const command = more.length === 0 ? `${program} setup ${missing.id}` : `${program} setup`;
    return `Next: run ${paint.bold(command)}. It shows the changes before writing them.`;
  }
  if (agents.some(({ setUp }) => setUp))
    return `Next: run ${paint.bold(`${program} events --follow`)} to see what your agents do.`;
  const labels = agents.map(({ label }) => label).join(', ');
  return `Next: install an agent (${labels}), or try Hookline with recorded sessions: ${paint.bold(`${program} demo`)}`;
}
