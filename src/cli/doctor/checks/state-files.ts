import { problem, warning } from '../../../agents/setup/findings.ts';
import { openHomeGrants } from '../../../home/engine.ts';
import type { HomePaths } from '../../../home/paths.ts';
import { parseJson } from '../../../model/json.ts';
import { counted } from '../../../model/text.ts';
import { readIfExists } from '../../../platform/files.ts';
import type { Check, Diagnosis } from '../check.ts';

/** Files of the home that commands write and other parts only read. */
export const stateFiles: Check = ({ paths }) => [
  ...grants(paths),
  ...unreadable(paths.trust, 'no project is trusted'),
  ...unreadable(paths.scriptKeys, 'no script key works'),
  ...unreadable(paths.devices, 'no paired device has access'),
];

function grants(paths: HomePaths): readonly Diagnosis[] {
  const file = openHomeGrants(paths);
  const broken = file.problem();
  if (broken) {
    const message = `${broken.where} ${broken.message}`;
    return [problem('grants-unreadable', message, 'Fix its JSON, or move it away.')];
  }
  const outdated = file.outdated().length;
  if (outdated === 0) return [];
  const message = `${counted(outdated, 'grant')} from an older version cover more than one call, so they don't apply.`;
  return [
    warning(
      'grants-outdated',
      message,
      'Run `hookline grants list` to see them and `hookline grants revoke` to remove them.',
    ),
  ];
}

function unreadable(path: string, then: string): readonly Diagnosis[] {
  if (isReadable(path)) return [];
  return [warning('state-unreadable', `Can't read ${path}: ${then}.`, 'Fix its JSON, or move it away.')];
}

function isReadable(path: string): boolean {
  try {
    return parseJson(readIfExists(path) ?? 'null') !== undefined;
  } catch {
    // It exists, but it can't be read or isn't a file.
    return false;
  }
}
