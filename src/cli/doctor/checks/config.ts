import { ok, problem } from '../../../agents/setup/findings.ts';
import { configMarks } from '../../../home/config.ts';
import type { Check } from '../check.ts';
import { restartRepair } from '../repairs.ts';

/** Settings that decide what is guarded. */
const GUARDING: readonly string[] = ['failure', 'packs', 'disabledRules', 'develop', 'approvals'];
/** Settings that are read on demand. */
const READ_EACH_TIME: readonly string[] = ['access'];

/** Checks that the settings are valid and are those that the daemon uses. */
export const config: Check = ({ paths, presence, config: now, configProblem }) => {
  if (configProblem !== null) {
    const found = problem('config-invalid', configProblem.message, configProblem.hint);
    return [{ ...found, why: "The daemon can't start, and calls that can't be checked are denied." }];
  }
  if (presence.kind !== 'answers') return [];
  const then = presence.status.config;
  const marks = configMarks(now);
  const changed = Object.keys(then).filter(
    (key) => then[key] !== marks[key] && !READ_EACH_TIME.includes(key),
  );
  if (changed.length === 0) return [ok('config', 'The daemon uses the current config.yaml.')];
  return [
    {
      level: changed.some((key) => GUARDING.includes(key)) ? 'problem' : 'warning',
      code: 'config-stale',
      message: `${paths.config} changed after the daemon started. ${changed.join(', ')} is not active yet.`,
      fix: 'Run `hookline down`, then `hookline up`.',
      repair: restartRepair(paths),
    },
  ];
};
