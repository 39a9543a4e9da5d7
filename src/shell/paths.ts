import { type PathRef, UNKNOWN, type Word } from './analysis.ts';

/** Where relative paths start and what `~` means. */
export interface Base {
  readonly cwd: string | null;
  readonly home: string;
}

/** `path` made absolute where the base is known, without `.`, `..` and doubled slashes. */
export function resolvePath(path: string, base: Base): string {
  let full = path;
  if (path === '~' || path.startsWith('~/')) full = base.home + path.slice(1);
  else if (!path.startsWith('/') && !path.startsWith('~') && base.cwd !== null) full = `${base.cwd}/${path}`;
  return throughProc(normalise(full), base);
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

/** `/proc/self/root/etc` is `/etc` by another name. */
function throughProc(path: string, base: Base): string {
  if (!path.startsWith('/proc/')) return path;
  const found = /^\/proc\/(?:self|thread-self|\d+)\/(root|cwd)(\/.*)?$/.exec(path);
  if (!found) return path;
  const rest = found[2] ?? '';
  if (found[1] === 'root') return rest === '' ? '/' : throughProc(normalise(rest), base);
  return base.cwd === null ? path : normalise(base.cwd + rest);
}

/** What an argument says about the file system. */
export function pathRef(word: Word, base: Base): PathRef {
  const { template, raw, glob } = word;
  const unknown = template.indexOf(UNKNOWN);
  if (unknown < 0) return { path: resolvePath(template, base), prefix: null, raw, glob };
  const slash = template.lastIndexOf('/', unknown);
  const literal = unknown === 0 || slash < 0 ? null : template.slice(0, slash + 1);
  return { path: null, prefix: literal === null ? null : resolvePath(literal, base), raw, glob };
}
