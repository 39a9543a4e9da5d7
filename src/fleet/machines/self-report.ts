import { lastLink } from '../../store/chain/chain.ts';
import { VERSION } from '../../version.ts';
import type { FleetContext } from '../part.ts';
import { openCursorFile } from '../record/cursor.ts';
import type { MachineReport } from './report.ts';

/** This machine's current report. */
export function openSelfReport({
  home,
  settings,
}: FleetContext): (policy: MachineReport['policy']) => MachineReport {
  const { name, groups, after } = settings;
  const cursor = openCursorFile(home.paths.fleetCursor, home.log);
  return (policy) => ({
    name,
    groups: [...groups],
    hookline: VERSION,
    at: new Date().toISOString(),
    policy,
    agents: home.coverage().map((agent) => ({ ...agent, problems: [...agent.problems] })),
    waiting: Math.max(0, lastLink(home.db).link - Math.max(after, cursor.read()?.link ?? 0)),
  });
}
