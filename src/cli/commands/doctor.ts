import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { type Finding, scopesOf } from '../../agents/setup.ts';
import { connect } from '../../client/client.ts';
import { openHomeRules } from '../../engine/create.ts';
import { inspectForwarder } from '../../forwarder/install.ts';
import { readConfig } from '../../home/config.ts';
import { type HomePaths, homeFolder, homePaths } from '../../home/paths.ts';
import { VERSION } from '../../version.ts';
import { defineCommand } from '../command.ts';
import { paint } from '../paint.ts';
import { forwarderSource, setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'doctor',
  summary: 'Find out what is wrong, and how to mend it. Exits with 1 when there is a problem.',
  options: { json: { type: 'boolean', description: 'As one JSON object.' } },
  examples: [['hookline doctor', 'after an update of an agent, or when a rule does not hold']],
  async run({ json }) {
    const paths = homePaths(homeFolder());
    const reports: { about: string; findings: readonly Finding[] }[] = [
      { about: 'hookline', findings: await ownFindings(paths) },
    ];
    for (const agent of AGENTS.values()) {
      reports.push({ about: agent.id, findings: await agentFindings(agent, paths) });
    }
    const bad = reports.some(({ findings }) => findings.some(({ level }) => level === 'problem'));
    if (json) {
      console.log(JSON.stringify({ ok: !bad, reports }));
      return bad ? 1 : 0;
    }
    for (const { about, findings } of reports) {
      console.log(paint.bold(about));
      for (const finding of findings) console.log(findingLines(finding).join('\n'));
    }
    return bad ? 1 : 0;
  },
});

function findingLines({ level, message, fix }: Finding): string[] {
  const mark = { ok: paint.green('✓'), warning: paint.yellow('!'), problem: paint.red('✗') }[level];
  return [`  ${mark} ${message}`, ...(fix ? [paint.dim(`      ${fix}`)] : [])];
}

async function ownFindings(paths: HomePaths): Promise<Finding[]> {
  const client = await connect(paths);
  const findings: Finding[] = [daemonFinding(client?.info.version ?? null)];
  for (const { where, message } of openHomeRules(paths, readConfig(paths.config)).inForce(process.cwd())
    .problems) {
    findings.push({
      level: 'problem',
      code: 'rule-invalid',
      message: `${where}: ${message}`,
      fix: 'Mend the rule; until then it does not count.',
    });
  }
  return [...findings, inspectForwarder(paths.root, forwarderSource())];
}

function daemonFinding(version: string | null): Finding {
  if (version === null) {
    const fix = '`hookline up` starts it. Rules hold without it, but each hook call is slower.';
    return { level: 'warning', code: 'daemon-down', message: 'The daemon is not running.', fix };
  }
  if (version !== VERSION) {
    const message = `The daemon is version ${version}, this is ${VERSION}.`;
    return { level: 'problem', code: 'daemon-version', message, fix: '`hookline down`, then `hookline up`.' };
  }
  return { level: 'ok', code: 'daemon', message: 'The daemon answers.', fix: null };
}

async function agentFindings(agent: Agent, paths: HomePaths): Promise<readonly Finding[]> {
  const context = setupContext(paths, scopesOf(agent.setup)[0]);
  const { installed, version } = await agent.setup.detect(context);
  if (!installed) {
    const message = `${agent.label} is not on PATH.`;
    return [{ level: 'warning', code: 'not-installed', message, fix: null }, ...agent.setup.inspect(context)];
  }
  const known: Finding =
    version === agent.testedVersion
      ? { level: 'ok', code: 'version', message: `${agent.label} ${version}`, fix: null }
      : {
          level: 'warning',
          code: 'version-untested',
          message: `${agent.label} is ${version ?? 'of unknown version'}; Hookline was measured against ${agent.testedVersion}.`,
          fix: 'Most things will hold. Run `hookline events --follow` and check that its events arrive.',
        };
  return [known, ...agent.setup.inspect(context)];
}
