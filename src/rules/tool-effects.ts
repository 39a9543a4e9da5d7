import { resolve } from 'node:path';
import type { FileOperation, ToolCall } from '../model/tools.ts';
import { once } from '../platform/bounded.ts';
import type { Analysis, Effect, EffectOf, PathRef } from '../shell/analysis.ts';
import { disposables } from '../shell/disposable/disposable.ts';
import { FOUND } from '../shell/places/paths.ts';
import { posixPath } from '../shell/places/windows-paths.ts';
import { type PossibleWrites, possibleWrites } from '../shell/possible-writes.ts';
import { isElevated, isKnownProgram } from '../shell/traits/known-program.ts';
import type { DerivedFile } from './calls/call-files.ts';
import type { CallFacts } from './calls/facts.ts';
import { givesSecret } from './calls/secret-texts.ts';
import { isTyped } from './calls/sends.ts';
import type { WrittenFile } from './calls/written.ts';
import type { FileAccess, Found } from './facts.ts';
import { runsInstallers } from './hosts/installers.ts';
import { effectTags, mayBeRoot, mayClose, networkTags } from './match/effect-tags.ts';
import { type EffectWord, ELEVATED_WORDS, namedTags, tags } from './match/effect-words.ts';
import { placeAt, type Touched } from './match/paths.ts';
import { marksOf } from './written/marks.ts';
import { weakenedIn } from './written/weakened.ts';

const FILE_ACCESS: Readonly<Record<FileOperation['op'], readonly FileAccess[]>> = {
  read: ['read'],
  create: ['write'],
  write: ['write'],
  edit: ['write'],
  delete: ['delete'],
  move: ['delete', 'write'],
};

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/;

/** Agents give paths from where they work, which is not where Hookline runs; some know what `~` is. */
export function resolveToolPath(path: string, cwd: string | null, home: string | null): string {
  const posix = /^[a-z]:[\\/]|^%\w+%/i.test(path) ? posixPath(path) : path;
  const full = home === null ? posix : posix.replace(HOME, () => home);
  return cwd === null ? full : resolve(cwd, full);
}

function addOf(
  found: Found[],
  { op, path, to }: FileOperation,
  cwd: string | null,
  home: string | null,
): void {
  for (const access of FILE_ACCESS[op])
    found.push({
      tags: [access],
      command: null,
      access,
      touched: placeAt(resolveToolPath(op === 'move' && access === 'write' && to ? to : path, cwd, home)),
      // Not every client puts a variable's value in.
      certainty: path.startsWith('$') ? 'likely' : 'certain',
    });
}

/** Where a call is made. */
export interface Places {
  readonly cwd: string | null;
  readonly home: string | null;
  readonly project: string | null;
}

/** What a tool does by itself: as its agent says, and as its arguments look. */
export function effectsOfTool(tool: ToolCall, seems: CallFacts | null, here: Places): Found[] {
  const { cwd, home } = here;
  const found: Found[] = [];
  for (const file of tool.files) addOf(found, file, cwd, home);
  for (const file of seems?.files ?? []) found.push(foundBy(file, cwd, home));
  for (const { host, url } of seems?.addresses ?? []) found.push(ofTool(networkTags(host, url)));
  if (givesSecret(tool) && !(seems?.page === 'trial' && isTyped(tool)))
    found.push(ofTool(tags(tool.kind === 'write' ? 'write' : 'send', 'secret', 'literal')));
  if (tool.unsandboxed) found.push(ofTool(tags('run', 'unsandboxed')));
  if (seems?.sendsFromPage) found.push(ofTool(tags('send', 'secret', 'page')));
  if (seems?.change) found.push(ofTool(namedTags('resource', [seems.change.verb], 'mcp', seems.change.how)));
  if (searchesOutside(seems, here)) found.push(ofTool(tags('search', 'secrets')));
  return found;
}

const SCRATCH = /^(?:\/private)?\/(?:tmp|var\/tmp)(?:\/|$)/;

/** In a place that is not the project's. */
function searchesOutside(seems: CallFacts | null, { cwd, home, project }: Places): boolean {
  if (seems === null || seems.secretSearch === null || project === null) return false;
  const folder = resolveToolPath(seems.secretSearch, cwd, home);
  return folder !== project && !folder.startsWith(`${project}/`) && !SCRATCH.test(folder);
}

/** What a text in a file would do that no command line does. */
export function foundInText(file: WrittenFile): Found[] {
  const marks = [...marksOf(file), ...weakenedIn(file)];
  return marks.map((mark) => ({
    tags: tags('write', mark),
    command: null,
    access: 'write',
    touched: placeAt(file.place),
    certainty: 'likely',
  }));
}

function foundBy(file: DerivedFile, cwd: string | null, home: string | null): Found {
  const { access, path, below, glob } = file;
  return {
    tags: derivedTags(file),
    command: null,
    access,
    touched: { ...placeAt(resolveToolPath(path, cwd, home)), recursive: below, glob },
    certainty: 'likely',
  };
}

function derivedTags({ access, below, isFolder }: DerivedFile): readonly string[] {
  if (access === 'send') return tags('send', 'file');
  // A tool has no confirmation prompt, so deleting a directory counts as forced.
  return access === 'delete'
    ? tags('delete', below && 'recursive', isFolder === true && 'force')
    : tags(access);
}

/** Likely effect of an undescribed tool that touches no file on this machine. */
function ofTool(tags: readonly string[]): Found {
  return { tags, command: null, access: null, touched: NOWHERE, certainty: 'likely' };
}

/** No file has a longer name, so that whatever this is, it is not where it says. */
export const LONGEST_PATH = 4096;

function foundIn(effect: Effect): Found {
  if ('prefix' in effect && effect.path !== null && effect.path.length > LONGEST_PATH)
    return foundIn({ ...effect, path: null });
  const tags = effectTags(effect);
  const { command, certainty } = effect;
  switch (effect.kind) {
    case 'read':
    case 'write':
      return { tags, command, access: effect.kind, touched: touchedBy(effect, false), certainty };
    case 'send':
      return {
        tags,
        command,
        access: effect.what === 'file' ? 'send' : null,
        touched: touchedBy(effect, true),
        certainty,
      };
    case 'delete':
      return { tags, command, access: 'delete', touched: touchedBy(effect, effect.recursive), certainty };
    case 'permission':
      // Who may do what with a file is written in the file's own entry.
      return { tags, command, access: 'write', touched: allotted(effect), certainty };
    case 'system':
      return effect.action === 'link'
        ? { tags, command, access: 'link', touched: placeAt(effect.target), certainty }
        : { tags, command, access: null, touched: NOWHERE, certainty };
    default:
      return { tags, command, access: null, touched: NOWHERE, certainty };
  }
}

const foundBefore = new WeakMap<Analysis, readonly Found[]>();

/** The same for a line however often it is run. */
export function foundInShell(analysis: Analysis | null, home: string | null): readonly Found[] {
  if (analysis === null) return NOTHING;
  let found = foundBefore.get(analysis);
  if (!found) {
    found = findInShell(analysis, home);
    foundBefore.set(analysis, found);
  }
  return found;
}

function findInShell(analysis: Analysis, home: string | null): readonly Found[] {
  const asRoot = analysis.effects.some((effect) => effect.kind === 'privilege' && mayBeRoot(effect));
  const found: Found[] = [];
  const passing = disposables(analysis);
  const installs = once(() => runsInstallers(analysis));
  for (const effect of analysis.effects) {
    const own = elevated(foundIn(effect), analysis, asRoot);
    const word = wordBeside(effect, passing, installs);
    found.push(word === null ? own : { ...own, tags: [...own.tags, word] });
    const folder = folderOf(effect);
    if (folder) found.push(elevated(folder, analysis, asRoot));
  }
  for (const { command, as, ref } of possibleWrites(analysis, home))
    found.push({
      tags: givenTags(as, ref),
      command,
      access: 'expose',
      touched: touchedBy(ref, false),
      certainty: 'likely',
    });
  return found;
}

/** What only the rest of the line tells of an effect. */
function wordBeside(
  effect: Effect,
  passing: ReadonlySet<Effect>,
  installs: () => boolean,
): EffectWord<'run' | 'resource' | 'execute'> | null {
  if (passing.has(effect)) return 'disposable';
  return effect.kind === 'execute' && effect.from === 'network' && installs() ? 'installer' : null;
}

const NOTHING: readonly Found[] = [];

function givenTags(as: PossibleWrites['as'], { among, glob, path }: PathRef): readonly string[] {
  return tags(
    'expose',
    as === 'word' && 'place',
    as,
    among !== undefined && 'among',
    glob && path?.includes(FOUND) === true && 'found',
  );
}

/** Effects with another user's rights, and of programs whose effects are not fully known. */
function elevated(found: Found, analysis: Analysis, asRoot: boolean): Found {
  const command = found.command === null ? undefined : analysis.commands[found.command];
  if (command === undefined || !isElevated(command)) return found;
  const unfamiliar: EffectWord<'run'> | false =
    found.tags[0] === 'run' && !isKnownProgram(command) && 'unfamiliar';
  const [elevated, asRootWord] = ELEVATED_WORDS;
  return {
    ...found,
    tags: [...found.tags, elevated, ...(asRoot ? [asRootWord] : []), ...(unfamiliar ? [unfamiliar] : [])],
  };
}

/** Whatever a search finds in a folder and writes, it writes below that folder. */
function folderOf(effect: Effect): Found | null {
  if (effect.kind !== 'write' || !effect.path?.endsWith(FOUND)) return null;
  const folder = { ...effect, path: effect.path.slice(0, -FOUND.length), glob: false, below: true };
  return folder.path === '' ? null : foundIn(folder);
}

/**
 * Another owner, or rights that take nothing away, change no file. Given to a whole tree they are about the tree, not
 * about each thing in it.
 */
function allotted(effect: EffectOf<'permission'>): Touched {
  return mayClose(effect)
    ? touchedBy(effect, effect.recursive)
    : touchedBy({ ...effect, sifted: 'surely' }, false);
}

function touchedBy(ref: PathRef, recursive: boolean): Touched {
  const { path, prefix, ending, glob, sifted, among, isName, spelled } = ref;
  return {
    path,
    prefix,
    ending,
    glob,
    // An age spares none of the names that were asked for.
    sifted: sifted === 'aged' ? path?.endsWith(FOUND) === true : sifted !== false,
    nearby: sifted === 'nearby',
    recursive,
    among,
    isName,
    spelled,
  };
}

const NOWHERE: Touched = placeAt(null);
