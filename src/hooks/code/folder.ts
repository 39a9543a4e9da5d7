import type { LastGood } from '../../platform/last-good.ts';
import type { Hook, HookProblem } from '../hook.ts';
import { type HookFile, hookFiles } from './hook-files.ts';
import { closeAll, type Loaded, type LoadOptions, loadFile } from './load-file.ts';

/** The code hooks of one directory. A changed file is loaded again before its next event. */
export interface CodeFolder {
  /** Returns without a promise if there are no hooks. */
  hooks(): readonly Hook[] | Promise<readonly Hook[]>;
  problems(): readonly HookProblem[];
  close(): void;
}

export interface FolderOptions extends LoadOptions {
  /** A file changed, so earlier failures of its hooks no longer count. */
  changed(names: readonly string[]): void;
}

const NO_HOOKS: readonly Hook[] = [];

export function openCodeFolder(folder: string, options: FolderOptions): CodeFolder {
  const files = new Map<string, Loaded>();
  let listed: string | null = null;

  /** Also handles a file deleted on purpose between two checks. */
  function forgetDeleted(found: readonly HookFile[]): void {
    const now = found.map(({ path }) => path).join('\0');
    if (now === listed) return;
    listed = now;
    for (const path of options.lastGood?.keptIn(folder) ?? [])
      if (!found.some((file) => file.path === path)) options.lastGood?.forget(path);
  }

  function refresh(): readonly Hook[] | Promise<readonly Hook[]> {
    const found = hookFiles(folder) ?? withoutList(folder, [...files.keys()], options.lastGood);
    for (const [path, loaded] of files) {
      if (found.some((file) => file.path === path)) continue;
      closeAll(loaded);
      files.delete(path);
    }
    forgetDeleted(found);
    return found.length === 0 ? NO_HOOKS : load(found);
  }

  async function load(found: readonly HookFile[]): Promise<readonly Hook[]> {
    for (const { path, stamp } of found) {
      const known = files.get(path);
      if (known?.retryAt && known.stamp === stamp && known.retryAt <= Date.now())
        void tryAgain(files, path, known, options);
      if (known?.stamp === stamp) continue;
      const before = (await known?.hooks) ?? [];
      // Another call may have run in the meantime.
      if (files.get(path) !== known) continue;
      if (known) closeAll(known);
      options.changed(before.map(({ name }) => name));
      files.set(path, loadFile(path, { stamp, before }, options));
    }
    const all = await Promise.all(found.map(({ path }) => files.get(path)?.hooks ?? []));
    return all.flat();
  }

  return {
    hooks: refresh,
    problems: () => [...files.values()].flatMap(({ problem }) => problem ?? []),
    close() {
      for (const loaded of files.values()) closeAll(loaded);
      files.clear();
    },
  };
}

/** Loads it again in the background. Until then, hooks that guard by failing keep failing. */
async function tryAgain(
  files: Map<string, Loaded>,
  path: string,
  known: Loaded,
  options: FolderOptions,
): Promise<void> {
  known.retryAt = null;
  const before = await known.hooks;
  const again = loadFile(path, { stamp: known.stamp, before, attempt: known.attempt + 1 }, options);
  await again.hooks;
  if (files.get(path) !== known) return closeAll(again);
  closeAll(known);
  files.set(path, again);
  if (!again.problem) options.changed(before.map(({ name }) => name));
}

/** If a directory can't be listed, its last known hooks stay. */
function withoutList(
  folder: string,
  known: readonly string[],
  lastGood: LastGood | undefined,
): readonly HookFile[] {
  const paths = new Set([...known, ...(lastGood?.keptIn(folder) ?? [])]);
  // If none of its files are known, the directory itself counts as broken.
  return [...(paths.size > 0 ? paths : [folder])].map((path) => ({ path, stamp: 'not listed' }));
}
