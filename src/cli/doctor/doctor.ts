import { homePaths } from '../../home/paths.ts';
import { agentNamed } from '../agents/context.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { paint } from '../output/paint.ts';
import { examine } from './examine.ts';
import { findingLines, findingsLine, repairLines } from './lines.ts';
import { repairAll } from './repairs.ts';

export default defineCommand({
  name: 'doctor',
  words: '[agent…]',
  summary: 'Find problems and how to fix them. Exits with 1 if something keeps rules from being enforced.',
  options: {
    fix: flag('Fix what is safe to fix: the daemon, permissions, the spool and agent hooks.'),
    live: flag('Run installed agents against a local scripted model and check that they obey decisions.'),
    json: flag('As one JSON object.'),
  },
  examples: [
    ['hookline doctor', 'after an agent update, or if a rule is not enforced'],
    ['hookline doctor claude', 'one agent, and Hookline itself'],
    ['hookline doctor --fix', 'and fix what can be fixed safely'],
    ['hookline doctor --live claude', 'check that this version obeys decisions; costs no tokens'],
  ],
  asScript: true,
  async run({ fix, live, json }, agents) {
    const paths = homePaths();
    if (live) {
      if (fix) throw usage('doctor', "--live changes nothing, so it can't be combined with --fix.");
      const { checkLive } = await import('./live.ts');
      return checkLive(paths, agents, json === true);
    }
    const wanted = agents.length > 0 ? agents.map((name) => agentNamed(name, 'doctor')) : undefined;
    let reports = await examine(paths, wanted);
    const repairs = fix ? await repairAll(reports) : [];
    if (repairs.length > 0) reports = await examine(paths, wanted);
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
    console.log(`\n${findingsLine(findings)}`);
    return ok ? 0 : 1;
  },
});
