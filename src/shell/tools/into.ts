import type { Certainty, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { makeWord } from '../word.ts';

/**
 * A copy keeps its name in a directory. If the last word may be a directory or a new name, it counts as both. `whole`:
 * a directory is copied with all its content.
 */
export function writeInto(call: Call, sources: readonly Word[], target: Word, whole: boolean): void {
  const isFolder = mustBeFolder(call, sources, target);
  const contents = whole && (!isFolder || sources.some(({ template }) => ALL_IN_IT.test(template)));
  const anyNames = sources.some(isAnyName);
  call.write(target, { below: contents || anyNames });
  if (call.has('--no-target-directory')) return;
  const certainty: Certainty = isFolder ? call.certainty : mayBeFolder(target) ? 'likely' : 'possible';
  for (const source of sources) {
    const name = call.name === 'rsync' && source.template.endsWith('/') ? null : nameOf(source);
    if (name === null) continue;
    const path = `${target.template.replace(/\/$/, '')}/${name}`;
    call.write(makeWord(path, target.raw, source.glob || target.glob), { below: whole, certainty });
  }
}

/** `*` and `L*` may match anything in a directory; `app-*.tgz` is a file with a known start and end. */
function isAnyName({ glob, template }: Word): boolean {
  const [name = ''] = /[^/]*$/.exec(template) ?? [];
  return glob && /[*?[]/.test(name) && !/^\w[\w.-]*[*?][\w.*?-]*\.\w+$/.test(name);
}

/** `dir/.` has no name, nor does `dir/` for rsync. */
const ALL_IN_IT = /(?:^|\/)\.{0,2}$/;

function mustBeFolder(call: Call, sources: readonly Word[], target: Word): boolean {
  if (call.has('--no-target-directory')) return false;
  const { template } = target;
  const { path } = call.path(target);
  return (
    call.has('--target-directory') ||
    sources.length > 1 ||
    ALL_IN_IT.test(template) ||
    path === call.walk.home ||
    (path !== null && `${call.cwd}/`.startsWith(`${path}/`))
  );
}

/** A name with an extension is rarely a directory. */
function mayBeFolder({ template }: Word): boolean {
  return /(?:^|\/)\.?[^./]+$/.test(template);
}

/** The last name of a local or remote path; null if there is none. */
function nameOf({ template }: Word): string | null {
  const name = /([^/:]+)\/*$/.exec(template)?.[1] ?? '';
  return name === '' || name === '.' || name === '..' ? null : name;
}
