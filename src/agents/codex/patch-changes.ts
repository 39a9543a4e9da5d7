import type { FileChange } from '../history.ts';

const HEADER = /^\*\*\* (Add File|Delete File|Update File): (.+)$/;

/** The lines that a patch takes out of and puts into each file. */
export function patchChanges(patch: string): readonly FileChange[] {
  const changes: { path: string; removed: string[]; added: string[]; deletes: boolean }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, action, path] = HEADER.exec(line.trim()) ?? [];
    // Within a file a line begins with its sign, so that none is taken for a header.
    if (path !== undefined && !/^[ +-]/.test(line)) {
      changes.push({ path: path.trim(), removed: [], added: [], deletes: action === 'Delete File' });
      continue;
    }
    const current = changes.at(-1);
    if (line.startsWith('-')) current?.removed.push(line.slice(1));
    else if (line.startsWith('+')) current?.added.push(line.slice(1));
  }
  return changes.map(({ path, removed, added, deletes }) => ({
    path,
    // What a deletion takes away is not in the patch.
    before: deletes ? null : removed.join('\n'),
    after: deletes ? '' : added.join('\n'),
  }));
}
