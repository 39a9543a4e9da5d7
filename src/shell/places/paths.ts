import { type Names, type PathRef, type SearchFilter, UNKNOWN, type Word } from '../analysis.ts';
import { firstUnknown, hasUnknown, lastUnknown, namesIn } from '../placeholders.ts';

/** Where relative paths start and what `~` stands for. */
interface Base {
  readonly cwd: string | null;
  readonly home: string;
  /** Patterns for the directory if `cwd` is unknown. */
  readonly within?: readonly string[] | undefined;
  readonly names?: Names;
}

/** `path` without `.`, `..` and double slashes, absolute if the base is known. */
export function resolvePath(path: string, base: Base): string {
  const full = placed(path, base);
  return /^\/+(?:\.\/+)*(?:proc|dev)\//.test(full) ? throughProcesses(full, base) : normalise(full);
}

function placed(path: string, base: Base): string {
  if (path === '~' || path.startsWith('~/')) return base.home + path.slice(1);
  if (/^~[\w-]+(?:\/|$)/.test(path)) return homeOf(path, base.home);
  const isRelative = !path.startsWith('/') && !path.startsWith('~');
  return isRelative && base.cwd !== null ? `${base.cwd}/${path}` : path;
}

/** `name/..` is this directory only if `name` is not a link. */
const CLIMBS = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+\.\.(?:\/|$)/;

/** `~ann/x`: home directories are siblings. */
function homeOf(path: string, home: string): string {
  const beside = home.lastIndexOf('/');
  return beside < 0 ? path : `${home.slice(0, beside)}/${path.slice(1)}`;
}

function normalise(path: string): string {
  if (!path.includes('//') && !path.includes('/.') && !path.startsWith('.') && !path.endsWith('/'))
    return path;
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!absolute) parts.push(part);
  }
  const joined = parts.join('/');
  return absolute ? `/${joined}` : joined === '' ? '.' : joined;
}

const FOLDER_OF_PROCESS = /^\/proc\/([^/]+)(?:\/task\/[^/]+)?\/(root|cwd)$/;
/** `/dev/fd` is itself a link on some systems. */
const FILE_OF_PROCESS = /^\/(?:proc\/[^/]+(?:\/task\/[^/]+)?\/fd\/[^/]+|dev\/fd(?:\/[^/]+)?)$/;
/** Maximum number of names in a path to such a link. */
const MOST_TO_LINK = 6;

/**
 * `/proc/self/root/etc` is another name of `/etc`, and `/proc/self/cwd/x` of `x`. Paths into other processes are
 * unknown, so they stay unchanged and a rule asks about them.
 */
function throughProcesses(path: string, { cwd }: Base): string {
  let parts: string[] = [];
  const here = () => (parts.length > MOST_TO_LINK ? '' : `/${parts.join('/')}`);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.at(-1) === '..' || isLinkOfProcess(here())) parts.push(part);
      else parts.pop();
      continue;
    }
    parts.push(part);
    const [, process = '', link] = FOLDER_OF_PROCESS.exec(here()) ?? [];
    if (link === 'root') parts = [];
    else if (link === 'cwd' && cwd !== null && /self$/.test(process) && !FOLDER_OF_PROCESS.test(cwd))
      parts = cwd.split('/').filter((name) => name !== '');
  }
  return `/${parts.join('/')}`;
}

function isLinkOfProcess(path: string): boolean {
  return FOLDER_OF_PROCESS.test(path) || FILE_OF_PROCESS.test(path);
}

/** What a search finds below a directory: everything, or what its tests select. No file has this name. */
export const FOUND = '/**';
export const SIFTED: Readonly<Record<Exclude<SearchFilter, false>, string>> = {
  surely: '/***',
  perhaps: '/****',
  nearby: '/*****',
  aged: '/******',
};
const ANY_FOUND = /\/\*{2,6}/g;

/** The path that an argument stands for. */
export function pathRef(word: Word, base: Base): PathRef {
  const { raw } = word;
  const found = word.template.includes(FOUND);
  const sifted = found && siftedIn(word.template);
  const template = sifted ? word.template.replace(ANY_FOUND, FOUND) : word.template;
  // Below a directory that matched a pattern, every name is a pattern too.
  const glob = word.glob || found || (!/^[/~]/.test(template) && /[*?[]/.test(base.cwd ?? ''));
  const unknown = firstUnknown(template);
  if (unknown < 0) {
    const path = resolvePath(template, base);
    const isLost = base.within !== undefined && base.cwd === null && !/^[/~]/.test(path);
    const among = isLost
      ? base.within.map((folder) => resolvePath(template, { ...base, cwd: folder }))
      : null;
    const spelled = CLIMBS.test(template) && placed(template, base);
    const ref = { path, prefix: null, ending: null, raw, glob, sifted };
    return { ...ref, ...(among && { among }), ...(spelled && { spelled }) };
  }
  const slash = template.lastIndexOf('/', unknown);
  const climbs = /\/\.\.(?:\/|$)/.test(template.slice(unknown));
  const literal = unknown === 0 || slash < 0 || climbs ? null : template.slice(0, slash + 1);
  const prefix = literal === null ? null : resolvePath(literal, base);
  const mark = namesIn(template);
  const ref = { path: null, prefix, ending: endingOf(template), raw, glob, sifted };
  if (mark === '') return ref;
  const isName = !template.includes(UNKNOWN + mark);
  return {
    ...ref,
    among: amongNames(template.replace(UNKNOWN + mark, mark), base),
    ...(isName && { isName }),
  };
}

/** `"$f"/x`, where `$f` matches a pattern, or `~/"$f"`, where it is the last name of a match. */
function amongNames(template: string, base: Base): readonly string[] {
  const mark = namesIn(template);
  const at = template.indexOf(mark);
  const [before, after] = [template.slice(0, at), template.slice(at + 1)];
  if (hasUnknown(before) || hasUnknown(after)) return [];
  const patterns = base.names?.get(mark) ?? [];
  if (before === '') return patterns.map((pattern) => resolvePath(pattern + after, base));
  if (!before.endsWith('/')) return [];
  const last = (pattern: string) => pattern.slice(pattern.lastIndexOf('/', pattern.length - 2) + 1);
  return patterns.map((pattern) => resolvePath(before + last(pattern) + after, base));
}

function siftedIn(template: string): SearchFilter {
  if (template.includes(SIFTED.aged)) return 'aged';
  if (template.includes(SIFTED.nearby)) return 'nearby';
  if (template.includes(SIFTED.perhaps)) return 'perhaps';
  return template.includes(SIFTED.surely) && 'surely';
}

/** `/.ssh/config` of `"$X"/.ssh/config`; null if the unknown piece is part of the last name. */
function endingOf(template: string): string | null {
  const from = template.indexOf('/', lastUnknown(template));
  return from >= 0 && template.length > from + 1 ? normalise(template.slice(from)) : null;
}

/** If `name` is a link, `name/..` is the parent of its target. A normalized path no longer shows that. */
export function goesBack({ template }: Word): boolean {
  return /(?:^|\/)(?!\.{1,2}\/)[^/]+\/+\.\.(?:\/|$)/.test(template);
}
