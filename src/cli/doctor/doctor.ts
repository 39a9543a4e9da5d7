import { homePaths } from '../../home/paths.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { paint } from '../output/paint.ts';
import { examine } from './examine.ts';
import { findingLines, repairLines, summaryLine } from './lines.ts';
import { repairAll } from './repairs.ts';

export default defineCommand({
  name: 'doctor',
  words: '[agent…]',
  summary: 'Find out what is wrong, and how to fix it. Exits with 1 when a guard does not apply.',
  options: {
    fix: flag('Fix what is safe to fix: the daemon, permissions, the spool, entries in settings.'),
    live: flag(
      'Run each installed agent, or those that are named, against a model on this machine, and see whether it does what Hookline answers.',
    ),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline doctor', 'after an update of an agent, or when a rule does not apply'],
    ['hookline doctor --fix', 'and restart, close and repair what can be'],
    ['hookline doctor --live claude', 'does this version of it still obey? Costs no tokens, changes nothing'],
  ],
  asScript: true,
  async run({ fix, live, json }, agents) {
    const paths = homePaths();
    if (live) {
      if (fix) throw usage('doctor', '--live only looks: leave out --fix.');
      const { checkLive } = await import('./live.ts');
      return checkLive(paths, agents, json === true);
    }
    if (agents.length > 0)
      throw usage('doctor', `Agents are named with --live: hookline doctor --live ${agents.join(' ')}.`);
    let reports = await examine(paths);
    const repairs = fix ? await repairAll(reports) : [];
    if (repairs.length > 0) reports = await examine(paths);
    const findings = reports.flatMap((report) => report.findings);
    const ok = findings.every(({ level }) => level !== 'problem');
    if (json) {
      const shown = reports.map(({ about, findings: found }) => ({
        about,
        findings: found.map(({ repair, ...finding }) => ({ ...finding, fixable: repair !== undefined })),
      }));
      console.log(JSON.stringify({ ok, reports: shown, ...(fix ? { repairs } : {}) }));
      return ok ? 0 : 1;
    }
    for (const line of repairLines(repairs)) console.log(line);
    for (const { about, findings: found } of reports) {
      console.log(paint.bold(about));
      for (const finding of found) console.log(findingLines(finding).join('\n'));
    }
    console.log(`\n${summaryLine(findings)}`);
    return ok ? 0 : 1;
  },
});
