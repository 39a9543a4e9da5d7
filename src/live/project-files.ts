import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HooklineError } from '../model/errors.ts';

/** Hooks of a test: files by their paths, or the contents of files by their names. */
export type HookFiles = readonly (string | URL)[] | Readonly<Record<string, string>>;

/** Writes texts to paths below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = resolve(folder, name);
    if (!path.startsWith(folder + sep))
      throw new HooklineError('USAGE', `The file ${name} is not in the project.`, {
        hint: 'Names of files are relative to the project.',
      });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

const MOST_BYTES = 1 << 20;

/** The text of every file below a folder, by its path with slashes; not what git and npm keep there. */
export async function readProjectFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll(sep, '/');
    if (!entry.isFile() || /(?:^|\/)(?:\.git|node_modules)\//.test(name)) continue;
    if ((await stat(path)).size <= MOST_BYTES) files[name] = await readFile(path, 'utf8');
  }
  return files;
}

/**
 * Puts hooks into the directory of a home. A file stays where it is, and what it imports with it: the file in the home
 * re-exports it.
 */
export async function writeHooks(folder: string, hooks: HookFiles): Promise<void> {
  if (!isList(hooks)) return await writeFiles(folder, hooks);
  const entries = hooks.map((given) => {
    const path = resolve(given instanceof URL ? fileURLToPath(given) : given);
    if (!existsSync(path))
      throw new HooklineError('NOT_FOUND', `There is no hook file ${path}.`, {
        hint: 'Give paths of files, or an object with contents by file name.',
      });
    return [
      basename(path),
      `export { default } from ${JSON.stringify(pathToFileURL(path).href)};\n`,
    ] as const;
  });
  await writeFiles(folder, Object.fromEntries(entries));
}

function isList(hooks: HookFiles): hooks is readonly (string | URL)[] {
  return Array.isArray(hooks);
}
