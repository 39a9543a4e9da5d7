import { VERSION } from '../../../version.ts';
import { bySetup, problem } from '../../setup/findings.ts';
import { changed, type FileEdit, type Finding, type SetupContext } from '../../setup/setup.ts';
import { coreFile } from './core-file.ts';
import { coreText, writtenBy } from './file.ts';
import { homeOf, readText } from './places.ts';

interface CoreHost {
  readonly id: string;
  readonly label: string;
  readonly hasCore?: true;
}

/** The edit that puts the rest of a loader into the home; none where it is there, or there is no loader. */
export function corePlan({ id, hasCore }: CoreHost, context: SetupContext): readonly FileEdit[] {
  if (!hasCore) return [];
  const path = coreFile(homeOf(context), id);
  return changed({ path, before: readText(path), after: coreText(id) });
}

export function coreRemoval({ id, hasCore }: CoreHost, context: SetupContext): readonly FileEdit[] {
  const path = coreFile(homeOf(context), id);
  const before = hasCore ? readText(path) : null;
  return before === null ? [] : [{ path, before, after: null }];
}

/** Is the rest of the loader what setup would write now? Of a loader of another version, setup replaces both. */
export function coreFindings(
  { id, label, hasCore }: CoreHost,
  context: SetupContext,
  loader: string,
): readonly Finding[] {
  if (!hasCore || writtenBy(loader, id) !== VERSION) return [];
  const path = coreFile(homeOf(context), id);
  const text = readText(path);
  if (text === coreText(id)) return [];
  const again = `Run \`hookline setup ${id}\` again.`;
  return [
    bySetup(
      text === null
        ? problem(
            'core-missing',
            `${path} is missing or can't be read, so calls of ${label} are not checked.`,
            again,
          )
        : problem('changed-core', `${path} is not what setup writes: something has changed it.`, again),
    ),
  ];
}
