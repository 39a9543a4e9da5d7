import type { Agent } from '../../../agents/agent.ts';
import { isVerified, type KeptReport } from '../../../live/kept-reports.ts';
import { isBroken } from '../../../live/report.ts';
import { dayOf } from '../../../model/text.ts';
import type { Diagnosis } from '../check.ts';

type Named = Pick<Agent, 'id' | 'label' | 'testedVersion' | 'testedPart'>;

/** Whether Hookline is known to work with this version of an agent: by us, or by `doctor --live` on this machine. */
export function versionFinding(agent: Named, version: string | null, given: KeptReport | null): Diagnosis {
  // One that shows neither that guards work nor which do not shows nothing.
  const kept = given !== null && (isVerified(given) || isBroken(given)) ? given : null;
  const { id, label, testedVersion, testedPart } = agent;
  const named = [label, version].filter(Boolean).join(' ');
  const again = `Run \`hookline doctor --live ${id}\`.`;
  if (kept !== null && version !== null && kept.version === version)
    return checkedFinding(named, kept, again);
  const before =
    kept === null
      ? ''
      : `${isBroken(kept) ? 'Found not to work' : 'Verified'} with ${kept.version ?? 'another version'} on ${dayOf(kept.checkedAt)}`;
  if (version === testedVersion)
    return kept === null
      ? { level: 'ok', code: 'version', message: named, fix: null }
      : { level: 'limit', code: 'live-outdated', message: `${before}; you now run ${named}.`, fix: again };
  if (testedPart !== undefined)
    return {
      level: 'limit',
      code: 'client-unmeasured',
      message: `${named}: Hookline was measured on ${testedPart} ${testedVersion}, not on the client itself.`,
      fix: null,
    };
  const now = `${label} is ${version ?? 'of unknown version'}; Hookline was measured against ${testedVersion}.`;
  return {
    level: 'warning',
    code: 'version-untested',
    message: kept === null ? now : `${before}; you now run ${named}.`,
    fix: `${again} It finds out what this version does, and costs no tokens.`,
  };
}

function checkedFinding(named: string, kept: KeptReport, again: string): Diagnosis {
  const day = dayOf(kept.checkedAt);
  if (!isBroken(kept))
    return { level: 'ok', code: 'live', message: `${named}, verified on ${day}`, fix: null };
  const broken = kept.rows.filter(({ state }) => state === 'broken').map(({ name }) => name);
  return {
    level: 'problem',
    code: 'live-broken',
    message: `With ${named} this does not work, as was found on ${day}: ${broken.join(', ')}.`,
    fix: again,
  };
}
