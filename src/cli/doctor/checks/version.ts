import type { Agent } from '../../../agents/agent.ts';
import type { Detection } from '../../../agents/setup/setup.ts';
import { isBroken, isStart } from '../../../live/report.ts';
import { isVerified, type StoredReport } from '../../../live/stored-reports.ts';
import { dayOf } from '../../../model/text.ts';
import type { Diagnosis } from '../check.ts';

type Detected = Pick<Detection, 'version' | 'problem'>;
type Named = Pick<Agent, 'id' | 'label' | 'testedVersion' | 'testedPart'>;

/** Checks that Hookline works with this version of an agent, measured by us or by `doctor --live` on this machine. */
export function versionFinding(agent: Named, detected: Detected, given: StoredReport | null): Diagnosis {
  const { version, problem } = detected;
  // A result that shows neither working nor broken rules says nothing.
  const kept = given !== null && (isVerified(given) || isBroken(given)) ? given : null;
  const { id, label, testedVersion, testedPart } = agent;
  const named = [label, version].filter(Boolean).join(' ');
  const again = `Run \`hookline doctor --live ${id}\`.`;
  // A broken version is called outdated only if the installed version is known to differ.
  if (kept !== null && kept.version === version && (version !== null || isBroken(kept)))
    return checkedFinding(named, kept, again);
  const before =
    kept === null
      ? ''
      : `${isBroken(kept) ? 'Not working' : 'Checked'} with ${kept.version ?? 'an unknown version'} on ${dayOf(kept.checkedAt)}`;
  if (version === testedVersion)
    return kept === null
      ? { level: 'ok', code: 'version', message: named, fix: null }
      : { level: 'limit', code: 'live-outdated', message: `${before}; you now run ${named}.`, fix: again };
  if (testedPart !== undefined)
    return {
      level: 'limit',
      code: 'client-unmeasured',
      message: `${named}: Hookline was tested with ${testedPart} ${testedVersion}, not with the agent itself.`,
      fix: null,
    };
  const is =
    version !== null
      ? `is ${version}`
      : `doesn't report its version${problem === undefined ? '' : ` (\`--version\` fails: ${problem})`}`;
  const now = `${label} ${is}; Hookline was tested with ${testedVersion}.`;
  return {
    level: 'warning',
    code: 'version-untested',
    message:
      kept === null ? now : `${before}; ${version === null ? `now ${label} ${is}` : `you now run ${named}`}.`,
    fix: `${problem === undefined ? '' : `Make sure ${label} starts. `}${again} It tests this version and costs no tokens.`,
  };
}

function checkedFinding(named: string, kept: StoredReport, again: string): Diagnosis {
  const day = dayOf(kept.checkedAt);
  if (!isBroken(kept)) return { level: 'ok', code: 'live', message: `${named}, checked ${day}`, fix: null };
  const unstarted = kept.rows.find(isStart);
  if (unstarted)
    return {
      level: 'problem',
      code: 'live-broken',
      message: `${unstarted.seen} (checked ${day})`,
      fix: `Make sure it starts, then ${again.replace('Run', 'run')}`,
    };
  const broken = kept.rows.filter(({ state }) => state === 'broken').map(({ name }) => name);
  return {
    level: 'problem',
    code: 'live-broken',
    message: `Not working with ${named} (checked ${day}): ${broken.join(', ')}.`,
    fix: again,
  };
}
