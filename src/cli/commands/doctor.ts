import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { type Finding, scopesOf } from '../../agents/kit/setup.ts';
import { connect } from '../../client/client.ts';
import { inspectForwarder } from '../../forwarder/install.ts';
import { openHomeGrants } from '../../home/engine.ts';
import { openPlaceIn } from '../../home/ownership.ts';
import { type HomePaths, homeFolder, homePaths } from '../../home/paths.ts';
import { VERSION } from '../../version.ts';
import { defineCommand } from '../command.ts';
import { hookProblemsHere, ruleProblemsHere } from '../file-problems.ts';
import { paint } from '../paint.ts';
import { typedHere } from '../program.ts';
import { forwarderSource, setupContext } from '../setup-context.ts';

export default defineCommand({
  name: 'doctor',
  summary: 'Find out what is wrong, and how to fix it. Exits with 1 when there is a problem.',
  options: { json: { type: 'boolean', description: 'As one JSON object.' } },
  examples: [['hookline doctor', 'after an update of an agent, or when a rule does not apply']],
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
  return [`  ${mark} ${message}`, ...(fix ? [paint.dim(`      ${typedHere(fix)}`)] : [])];
}

async function ownFindings(paths: HomePaths): Promise<Finding[]> {
  const client = await connect(paths);
  const findings: Finding[] = [homeFinding(paths), daemonFinding(client?.info.version ?? null)];
  const fix = 'Fix the file. Until then its last good version applies, if it ever had one.';
  for (const { where, message } of ruleProblemsHere(paths))
    findings.push({ level: 'problem', code: 'rule-invalid', message: `${where}: ${message}`, fix });
  for (const { where, message } of await hookProblemsHere(paths))
    findings.push({ level: 'problem', code: 'hook-invalid', message: `${where}: ${message}`, fix });
  const grants = openHomeGrants(paths).problem();
  if (grants) {
    const message = `${grants.where} ${grants.message}`;
    findings.push({
      level: 'problem',
      code: 'grants-invalid',
      message,
      fix: 'Fix its JSON, or move it away.',
    });
  }
  return [...findings, inspectForwarder(paths.root, forwarderSource(paths))];
}

function homeFinding(paths: HomePaths): Finding {
  const open = openPlaceIn(paths);
  if (open) return { level: 'problem', code: 'home-open', ...open };
  return { level: 'ok', code: 'home', message: `Only you can write to ${paths.root}.`, fix: null };
}

function daemonFinding(version: string | null): Finding {
  if (version === null) {
    const fix = '`hookline up` starts it. Rules apply without it, but each hook call is slower.';
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
    // What is not installed need not be set up; entries that are there are looked at all the same.
    const findings = agent.setup.inspect(context).filter(({ code }) => code !== 'not-set-up');
    return [{ level: 'warning', code: 'not-installed', message, fix: null }, ...findings];
  }
  const known: Finding =
    version === agent.testedVersion
      ? { level: 'ok', code: 'version', message: `${agent.label} ${version}`, fix: null }
      : {
          level: 'warning',
          code: 'version-untested',
          message: `${agent.label} is ${version ?? 'of unknown version'}; Hookline was measured against ${agent.testedVersion}.`,
          fix: 'Most things will work. Run `hookline events --follow` and check that its events arrive.',
        };
  return [known, ...agent.setup.inspect(context)];
}
