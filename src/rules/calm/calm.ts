import { projectFolderOf } from '../../model/events.ts';
import type { Analysis, Effect, SimpleCommand, Word } from '../../shell/analysis.ts';
import { literalFolder } from '../../shell/memory/store.ts';
import { goesBack, pathRef } from '../../shell/places/paths.ts';
import { readingOfSearch } from '../../shell/programs/searches.ts';
import type { Look, Reading } from '../../shell/reading/reader.ts';
import { readingOf } from '../../shell/reading/reading.ts';

import { isDoneInOrder, isLiteralLine } from '../../shell/shape.ts';
import type { Facts } from '../facts.ts';
import { type CommandPattern, commandIsCovered, isHarmless, isPlain } from '../match/command.ts';
import { isOpenFolder, isOpenOutside } from './outside.ts';
import { isPrivate, isPublic, isWithin } from './public.ts';
import { readTargetsOf } from './tools.ts';

/** A path that a call looks at. */
export interface ReadTarget {
  readonly at: Look['at'];
  /** Absolute path. */
  readonly path: string;
  readonly glob: boolean;
  readonly below: Look['below'];
}

/**
 * True if a call provably changes nothing and reveals nothing private: each command is a reader or one of those named,
 * and looks only at the project or at public system files. Anything not fully understood is not calm.
 */
export function isCalm(facts: Facts, named: readonly CommandPattern[]): boolean {
  const { tool, guarded } = facts;
  if (tool === null || guarded === null) return false;
  // Checks the words first, because they rule out most lines.
  const readings = tool.kind === 'shell' ? readingsOfLine(facts, named) : null;
  if ((tool.kind === 'shell' && readings === null) || projectOf(facts) === null) return false;
  const sights = readings ? sightsOfLine(readings, facts) : named.length > 0 ? null : readTargetsOf(facts);
  return sights?.every((sight) => isOpen(sight, facts)) ?? false;
}

/** The session's directory; null if it is a whole home directory, or unknown. */
function projectOf({ event, world, real }: Facts): string | null {
  const project = projectFolderOf(event) ?? event.cwd;
  if (!project?.startsWith('/') || project === '/') return null;
  return world.home !== null && isWithin(real(world.home), real(project)) ? null : project;
}

function isInProject(path: string, facts: Facts): boolean {
  const project = projectOf(facts);
  return project !== null && isWithin(facts.real(path), facts.real(project));
}

function mayWorkIn(folder: string, facts: Facts): boolean {
  return isInProject(folder, facts) || isOpenFolder(facts.real(folder), facts.world.home);
}

const CALM_EFFECTS: ReadonlySet<Effect['kind']> = new Set(['run', 'read', 'vcs']);

/** A command of a calm line; null for the reading of a named command. */
interface CalmCommand {
  readonly command: SimpleCommand;
  readonly reading: Reading | null;
}

type CalmLine = readonly CalmCommand[];

const known = new WeakMap<readonly CommandPattern[], WeakMap<Analysis, CalmLine | null>>();

/** Longer than any line typed to look at something. */
const LONGEST_LINE = 4_000;

/** What the commands of a line read; null if the words alone rule out that it is calm. */
function readingsOfLine(facts: Facts, named: readonly CommandPattern[]): CalmLine | null {
  const line = facts.tool?.command;
  const analysis = facts.analysis();
  // Other shells split words differently.
  if (line == null || line.length > LONGEST_LINE || facts.tool?.name !== 'Bash' || !analysis) return null;
  const before = known.get(named) ?? new WeakMap<Analysis, CalmLine | null>();
  known.set(named, before);
  let readings = before.get(analysis);
  if (readings === undefined) {
    readings = findReadings(line, analysis, named);
    before.set(analysis, readings);
  }
  return readings;
}

function findReadings(
  line: string,
  { coverage, commands, effects }: Analysis,
  named: readonly CommandPattern[],
): CalmLine | null {
  if (coverage !== 'complete' || commands.length === 0) return null;
  const all: CalmCommand[] = [];
  const others = new Set<number>();
  for (let index = 0; index < commands.length; index++) {
    const command = commands[index];
    if (command === undefined) return null;
    const isNamed = isPlain(command) && named.some((one) => commandIsCovered(one, command));
    if (isNamed) others.add(index);
    const search = !isNamed && isPlain(command) ? readingOfSearch(commands, index) : null;
    const reading =
      search?.reading ?? (!isNamed && isPlain(command, isQuietRedirect) ? readingOf(command) : null);
    if (!isNamed && reading === null) return null;
    all.push({ command, reading });
    // The command that runs on search results was read together with the search.
    index += (search?.size ?? 1) - 1;
  }
  if (named.length > 0 && others.size === 0) return null;
  const isQuiet = effects.every(({ kind, command }) => CALM_EFFECTS.has(kind) || others.has(command));
  return isQuiet && isLiteralLine(line) ? all : null;
}

const MAX_FOLDERS = 16;

/**
 * Everything that the commands of a line look at. After a change into a directory that may not exist (`test -f x && cd
 * a; cat ../b`), later commands count for every directory they may run in.
 */
function sightsOfLine(line: CalmLine, facts: Facts): readonly ReadTarget[] | null {
  const sights: ReadTarget[] = [];
  const isSure = isDoneInOrder(facts.tool?.command ?? '');
  let folders = new Set<string>();
  for (const { command, reading } of line) {
    if (command.cwd === null || folders.size > MAX_FOLDERS) return null;
    folders = isSure ? new Set([command.cwd]) : folders.add(command.cwd);
    for (const cwd of [...folders]) {
      const there = { ...command, cwd };
      const own = reading === null ? sightsOfNamed(there, facts) : sightsOf(there, reading, facts);
      if (own === null || !mayWorkIn(cwd, facts)) return null;
      sights.push(...own);
      if (reading?.moves) folders.add(own[0]?.path ?? cwd);
    }
  }
  return sights;
}

/** Builds and tests run the project, whatever their arguments are. */
function sightsOfNamed({ operands, cwd }: SimpleCommand, facts: Facts): readonly ReadTarget[] | null {
  const isInside = (word: Word) => {
    const { path } = pathRef(word, { cwd, home: facts.world.home ?? '~' });
    return path?.startsWith('/') && isInProject(literalFolder(path) || path, facts);
  };
  return operands.every(isInside) ? [] : null;
}

function sightsOf(
  command: SimpleCommand & { readonly cwd: string },
  reading: Reading,
  facts: Facts,
): readonly ReadTarget[] | null {
  const folder = folderOf(command, reading, facts);
  if (folder === null) return null;
  const looks = [...reading.looks, ...inputsOf(command), ...globsOf(command, reading)];
  const sights = allOf(looks.map((look) => sightOf(look, folder, facts)));
  return sights && reading.compares && areCompared(sights, facts)
    ? sights.map((sight) => ({ ...sight, below: 'all' }))
    : sights;
}

/** git compares two paths outside a repository, or if one of them is outside. */
function areCompared(sights: readonly ReadTarget[], { world }: Facts): boolean {
  if (sights.length !== 2 && !sights.some(({ glob }) => glob)) return false;
  return sights.every(({ path, glob }) => glob || (world.exists?.(path) ?? true));
}

const allOf = <T>(some: readonly (T | null)[]): readonly T[] | null =>
  some.every((one) => one !== null) ? some : null;

/** Input may come from a file, which then counts as read, or from the line. */
function isQuietRedirect(operator: string, target: Word): boolean {
  return isHarmless(operator, target) || (/^0?<{1,3}-?$/.test(operator) && !target.dynamic);
}

function inputsOf({ redirects }: SimpleCommand): readonly Look[] {
  return redirects
    .filter(({ operator }) => /^0?<$/.test(operator))
    .map(({ target }) => ({ at: 'contents', word: target, below: false }));
}

/** Unquoted patterns, which the shell replaces with file names before the program sees them. */
function globsOf({ argv }: SimpleCommand, { looks }: Reading): readonly Look[] {
  return argv
    .slice(1)
    .filter((word) => word.glob && /[*?[]/.test(word.template) && !looks.some((look) => look.word === word))
    .map((word) => ({ at: 'contents', word, below: false }));
}

/** Working directory of a command; null if it must not be read, or if settings there may run programs. */
function folderOf(command: SimpleCommand, reading: Reading, facts: Facts): string | null {
  const { world } = facts;
  const folder = reading.folder ? pathOf(reading.folder, command.cwd, facts) : command.cwd;
  if (folder === null || !mayWorkIn(folder, facts)) return null;
  if (reading.inRepository && (world.startsPrograms?.(facts.real(folder)) ?? true)) return null;
  if (!reading.moves) return folder;
  // Later commands run there, or elsewhere if the directory doesn't exist.
  const target = reading.looks[0] ? pathOf(reading.looks[0].word, folder, facts) : null;
  return target !== null && mayWorkIn(target, facts) && world.namesIn?.(target) ? folder : null;
}

function pathOf(word: Word, cwd: string | null, { world }: Facts): string | null {
  const { path, glob } = pathRef(word, { cwd, home: world.home ?? '~' });
  return glob || goesBack(word) || !path?.startsWith('/') ? null : path;
}

/** In zsh, parentheses after a pattern may contain code. */
const MAY_RUN = /[()]|\*\*/;

function sightOf({ at, word, below }: Look, cwd: string, facts: Facts): ReadTarget | null {
  // `..` after a link leads to the parent of its target.
  const base = /^\.\.?(?:\/|$)/.test(word.template) ? facts.real(cwd) : cwd;
  const { path, glob } = pathRef(word, { cwd: base, home: facts.world.home ?? '~' });
  if (goesBack(word)) return null;
  // Only the system knows where another user's home directory is.
  if (!path?.startsWith('/') || /^~[^/]/.test(word.raw)) return null;
  if (glob && (MAY_RUN.test(word.template) || !isSafeGlob(word.template, path, facts))) return null;
  return { at, path, glob, below };
}

/** A file may be named like an option, so a pattern that matches any start may expand to that option. */
function isSafeGlob(template: string, path: string, facts: Facts): boolean {
  const names = facts.scope().expand(path);
  return names !== null && (!/^[*?[{]/.test(template) || names.every((name) => !/\/-[^/]*$/.test(name)));
}

/** True if reading the path needs no approval. */
function isOpen({ at, path, glob, below }: ReadTarget, facts: Facts): boolean {
  if (!glob) return isOpenPath(path, at, below, facts);
  const names = facts.scope().expand(path);
  return (
    names !== null &&
    isOpenPath(literalFolder(path) || '/', 'names', false, facts) &&
    names.every((name) => isOpenPath(name, at, below, facts))
  );
}

function isOpenPath(path: string, at: Look['at'], below: Look['below'], facts: Facts): boolean {
  const real = facts.scope().real(path);
  const isKnown = isInProject(path, facts) || isPublic(real, at);
  if (!isKnown && (!isOpenOutside(real, at, facts.world.home) || isPrivate(path, facts))) return false;
  if (at === 'names') return true;
  if (isPrivate(path, facts)) return false;
  if (below === false) return true;
  const isSkipped = (name: string) =>
    below === 'visible' ? name.startsWith('.') : below === 'unversioned' && name === '.git';
  const files = facts.world.filesBelow?.(real, isSkipped) ?? null;
  const isLink = (file: string) => facts.scope().real(file) !== file;
  if (below === 'words' && files?.some((file) => /[\s'"\\]/.test(file))) return false;
  return files?.every((file) => isOpenFile(file, facts) && !(below === 'linked' && isLink(file))) ?? false;
}

/** A file that a search may read. */
function isOpenFile(file: string, facts: Facts): boolean {
  if (isPrivate(file, facts)) return false;
  return isInProject(file, facts) || isOpenOutside(facts.real(file), 'contents', facts.world.home);
}
