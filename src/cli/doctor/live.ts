import { availableParallelism, loadavg } from 'node:os';
import { basename } from 'node:path';
import { CLIENTS } from '../../agents/_clients.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import type { HomePaths } from '../../home/paths.ts';
import { checkAgent } from '../../live/check-agent.ts';
import { type AgentReport, isBroken, isUnended } from '../../live/report.ts';
import { storeReport } from '../../live/stored-reports.ts';
import type { RuleFile } from '../../live/user-rules.ts';
import { counted } from '../../model/text.ts';
import { readIfExists } from '../../platform/files.ts';
import { listRules, OWN_FILES } from '../../rules/files/folder.ts';
import { agentNamed, setupContext } from '../agents/context.ts';
import { paint } from '../output/paint.ts';
import { progressBar } from '../output/progress.ts';
import { liveSummary, reportLines } from './live-lines.ts';

/** An agent that was not checked, and why. */
interface Skipped {
  readonly agent: string;
  readonly label: string;
  readonly reason: string;
}

/**
 * Runs the user's own agents against a model on loopback. The exit code is 1 if a decision isn't carried out, or if a
 * named agent couldn't be checked.
 */
export async function checkLive(paths: HomePaths, names: readonly string[], json: boolean): Promise<number> {
  const wanted = names.length > 0 ? names.map((name) => agentNamed(name, 'doctor')) : [...AGENTS.values()];
  const rules = ruleFiles(paths);
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  const reports: AgentReport[] = [];
  const skipped: Skipped[] = [];
  try {
    for (const agent of wanted) {
      const check = () => checkOne(agent, paths, rules, interrupt.signal);
      let checked = await check();
      if ('rows' in checked && isUnended(checked) && isBusy()) checked = await check();
      if ('rows' in checked) {
        reports.push(checked);
        // A check that could not run says nothing about this version.
        if (!isUnended(checked)) storeReport(paths.live, checked, Date.now());
        if (!json) console.log(`${reportLines(checked).join('\n')}\n`);
      } else if (checked.installed || names.length > 0) skipped.push(checked);
    }
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    console.error('Interrupted. Everything that was started has ended and was removed.');
    return INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
  const isChecked = names.length === 0 ? reports.length > 0 : skipped.length === 0;
  const ok = isChecked && !reports.some(isBroken);
  if (json) console.log(JSON.stringify({ ok, reports, skipped }));
  else
    console.log(
      [
        ...skipped.map(({ label, reason }) => paint.dim(`${label}: not checked. ${reason}`)),
        liveSummary(reports),
        ...(reports.some(isUnended) ? [loadText()] : []),
      ].join('\n'),
    );
  return ok ? 0 : 1;
}

const NOT_RUNNABLE = "It can't be run with a local model.";
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const INTERRUPTED = 130;

async function checkOne(
  agent: Agent,
  paths: HomePaths,
  rules: readonly RuleFile[],
  signal: AbortSignal,
): Promise<AgentReport | (Skipped & { readonly installed: boolean })> {
  const { id, label } = agent;
  const { installed, path } = await agent.setup.detect(setupContext(paths, 'user'));
  const load = CLIENTS[id];
  if (load === undefined) return { agent: id, label, installed, reason: NOT_RUNNABLE };
  if (path === null) return { agent: id, label, installed, reason: 'It is not on PATH.' };
  // Without a terminal's progress bar, it would be silent for minutes.
  if (!process.stderr.isTTY) console.error(`Checking ${label}: takes 1 to 4 minutes. ${loadText()}`);
  const bar = progressBar(1, { about: `turns of ${label}` });
  try {
    return await checkAgent({
      agent,
      client: await load(),
      program: path,
      rules,
      signal,
      onProgress: bar.at,
    });
  } finally {
    bar.end();
  }
}

function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > availableParallelism();
}

/** A busy machine is why a check takes long, or does not come to its end. */
function loadText(): string {
  return `Load: ${loadavg()[0]?.toFixed(1)} on ${counted(availableParallelism(), 'core')}.`;
}

/** The user's own rules, to be copied. */
function ruleFiles({ rules }: HomePaths): readonly RuleFile[] {
  return listRules(rules, OWN_FILES, undefined).paths.flatMap((path) => {
    const text = readIfExists(path);
    return text === null ? [] : [{ name: basename(path), text }];
  });
}
