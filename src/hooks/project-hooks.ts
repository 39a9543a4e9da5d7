import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { remember } from '../platform/bounded.ts';
import { cachedStat } from '../platform/stat-cache.ts';
import { isTrusted } from '../rules/files/trust.ts';
import { type CodeFolder, type FolderOptions, openCodeFolder } from './code/folder.ts';
import type { Hook, HookProblem } from './hook.ts';

/** The code hooks of trusted projects. */
interface ProjectHooks {
  /** Empty while the project isn't trusted. */
  hooksOf(project: string | null): readonly Hook[] | Promise<readonly Hook[]>;
  problems(): readonly HookProblem[];
  close(): void;
}

const NO_HOOKS: readonly Hook[] = [];
const REMEMBERED_PROJECTS = 200;
const hooksFolder = remember((project: string) => join(project, '.hookline', 'hooks'), REMEMBERED_PROJECTS);

export function openProjectHooks(trust: string, options: Omit<FolderOptions, 'within'>): ProjectHooks {
  const folders = new Map<string, CodeFolder>();

  function folderOf(project: string): CodeFolder | null {
    const folder = hooksFolder(project);
    const open = folders.get(project);
    const { stat } = cachedStat(folder);
    // A dangling link fails when it is opened.
    const isThere = stat === null || stat?.isDirectory() === true;
    if (!isThere || !isTrusted(project, trust)) {
      open?.close();
      folders.delete(project);
      return null;
    }
    if (open) return open;
    const opened = openCodeFolder(folder, { ...options, within: realpathSync(join(project, '.hookline')) });
    folders.set(project, opened);
    return opened;
  }

  async function loaded(project: string, folder: CodeFolder): Promise<readonly Hook[]> {
    const hooks = await folder.hooks();
    // The loaded code must be what is trusted, because a file may have changed while it was read.
    return isTrusted(project, trust) ? hooks : NO_HOOKS;
  }

  return {
    hooksOf(project) {
      const folder = project === null ? null : folderOf(project);
      return project === null || folder === null ? NO_HOOKS : loaded(project, folder);
    },
    problems: () => [...folders.values()].flatMap((folder) => folder.problems()),
    close() {
      for (const folder of folders.values()) folder.close();
      folders.clear();
    },
  };
}
