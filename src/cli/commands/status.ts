import { AGENTS } from '../../agents/_registry.ts';
import { scopesOf } from '../../agents/setup.ts';
import { connect } from '../../client/client.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { columns, defineCommand } from '../command.ts';
import { paint } from '../paint.ts';
import { setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'status',
  summary: 'Show the daemon, the agents, and what to do next.',
  options: { json: { type: 'boolean', description: 'As one JSON object.' } },
  examples: [['hookline status --json | jq .daemon', 'null when none runs']],
  async run({ json }) {
    const paths = homePaths(homeFolder());
    const client = await connect(paths);
    const status = await client?.status();
    const agents = await Promise.all([...AGENTS.values()].map((agent) => agentStatus(agent.id)));
    if (json) {
      const { daemon = null, events = null, rules = null, ruleProblems = [] } = status ?? {};
      const { hooks = [], hookProblems = [] } = status ?? {};
      const known = { events, rules, ruleProblems, hooks, hookProblems };
      console.log(JSON.stringify({ daemon, home: paths.root, ...known, agents }));
      return 0;
    }
    console.log(paint.bold('Daemon'));
    const running = status && [
      [
        'running',
        `pid ${status.daemon.pid}, version ${status.daemon.version}, since ${status.daemon.startedAt}`,
      ],
      ['API', status.daemon.http],
      ['history', `${status.events} events, ${status.rules} rules, ${status.hooks.length} hooks`],
    ];
    console.log(
      columns(running || [['not running', 'it starts with the first hook call, or with `hookline up`']]).join(
        '\n',
      ),
    );
    for (const { where, message } of [...(status?.ruleProblems ?? []), ...(status?.hookProblems ?? [])])
      console.log(paint.red(`  ${where}: ${message}`));
    for (const { name, state, failures, problem } of status?.hooks ?? [])
      if (state === 'paused' || failures > 0)
        console.log(
          paint.yellow(
            `  hook ${name}${state === 'paused' ? ' is paused' : ''}: ${failures} failures, last: ${problem}`,
          ),
        );
    console.log(`\n${paint.bold('Agents')}`);
    console.log(columns(agents.map((one) => [one.label, describe(one)])).join('\n'));
    console.log(`\n${nextStep(agents)}`);
    return 0;
  },
});

interface AgentStatus {
  readonly id: string;
  readonly label: string;
  readonly installed: boolean;
  readonly version: string | null;
  readonly setUp: boolean;
  readonly problems: readonly string[];
}

async function agentStatus(id: string): Promise<AgentStatus> {
  const agent = AGENTS.get(id);
  if (!agent) throw new Error(`no agent ${id}`);
  const context = setupContext(homePaths(homeFolder()), scopesOf(agent.setup)[0]);
  const { installed, version } = await agent.setup.detect(context);
  const findings = agent.setup.inspect(context);
  return {
    id,
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
    setUp && problems.length > 0 ? `, ${problems.length} problems (see \`hookline doctor\`)` : '';
  return `${client}, ${setUp ? 'set up' : 'not set up'}${trouble}`;
}

function nextStep(agents: readonly AgentStatus[]): string {
  const missing =
    agents.find(({ installed, setUp }) => installed && !setUp) ?? agents.find(({ setUp }) => !setUp);
  if (missing)
    return `Next: ${paint.bold(`hookline setup ${missing.id}`)} puts Hookline in; it shows the edit first.`;
  return `Next: ${paint.bold('hookline events --follow')} shows what the agents do.`;
}
