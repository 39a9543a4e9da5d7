import { existsSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { isInside, listNames, readRegularFile } from '../../platform/bounded-files.ts';
import { InterruptedError, interruptAfter } from '../../platform/interrupt.ts';
import { type FileOrigin, type LoadedRules, parseRules, type RuleProblem } from './load.ts';

/** Limits for reading a directory of rules. */
export interface FileLimits {
  /** Directory that files must be in after resolving links; null for any. */
  readonly within: string | null;
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** For all files read together. */
  readonly parseMs: number | null;
}

/** The user's own rules, which may link to another directory of theirs. */
export const OWN_FILES: FileLimits = { within: null, maxFiles: 1_000, maxBytes: 512 << 10, parseMs: null };

/** Rules of a repository. It may be freshly cloned, so they are untrusted input. */
export function projectFileLimits(project: string): FileLimits {
  return { within: project, maxFiles: 20, maxBytes: 64 << 10, parseMs: 1_000 };
}

export interface Listed {
  readonly paths: readonly string[];
  /** Problem with the directory; the list of paths is then incomplete. */
  readonly problem: RuleProblem | null;
}

/** The directory may contain other files. */
const NAMES_PER_FILE = 10;

/** A draft replaces the file with its name, or adds to the others. */
export function listRules(folder: string, limits: FileLimits, draft: string | undefined): Listed {
  const found = listFolder(folder, limits);
  if (draft === undefined) return found;
  const others = found.paths.filter((path) => basename(path) !== basename(draft));
  const paths = [...others, draft].sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  return { paths, problem: found.problem };
}

function listFolder(folder: string, { within, maxFiles }: FileLimits): Listed {
  const refused = (message: string): Listed => ({ paths: [], problem: { where: folder, message } });
  try {
    if (!existsSync(folder)) return { paths: [], problem: null };
    if (within !== null && !isInside(realpathSync(folder), within))
      return refused(`its rules are not loaded: it links outside ${within}`);
    const names = listNames(folder, maxFiles * NAMES_PER_FILE)?.filter((name) => /\.ya?ml$/.test(name));
    if (!names || names.length > maxFiles)
      return refused(`its rules are not loaded: it has more than ${maxFiles} files`);
    return { paths: names.map((name) => join(folder, name)), problem: null };
  } catch (error) {
    return refused(messageOf(error));
  }
}

/** The rules of a file and its text, or the problem with it. `leftMs` is the remaining time to parse. */
export function readRules(
  path: string,
  { within, maxBytes }: FileLimits,
  leftMs: number | null,
  origin: FileOrigin | undefined,
): LoadedRules & { readonly text: string | null } {
  try {
    const read = readRegularFile(path, { within, maxBytes });
    if ('refused' in read) return problemWith(path, `its rules are not loaded: ${read.refused}`);
    const text = read.content.toString('utf8');
    const parse = () => parseRules(text, path, origin);
    return { ...(leftMs === null ? parse() : interruptAfter(Math.max(leftMs, 1), parse)), text };
  } catch (error) {
    if (error instanceof InterruptedError)
      return problemWith(path, 'its rules are not loaded: it takes too long to read');
    return problemWith(path, messageOf(error));
  }
}

function problemWith(where: string, message: string): LoadedRules & { readonly text: null } {
  return { rules: [], problems: [{ where, message }], text: null };
}
