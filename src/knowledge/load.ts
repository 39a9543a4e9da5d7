import { existsSync, readFileSync } from 'node:fs';
import { entryOf } from '../model/lookup.ts';
import { remember } from '../platform/bounded.ts';
import type { ActLine, DeedName, ProgramAct } from './acts.ts';
import type { FileList, FileLists } from './file-places.ts';
import type { LabelKind } from './labels.ts';
import type { Entry, Knowledge } from './program.ts';
import type { Reason } from './reasons.ts';
import type { SecretUsages } from './secrets.ts';
import type { CodeService, Service } from './services.ts';
import type { Variables } from './variables.ts';
import type { Use } from './vocabulary.ts';

/** Part of the package, beside the code that reads it: a project cannot add to it, nor a setting lead elsewhere. */
const FILE: URL = new URL('./knowledge.json', import.meta.url);

let loaded: Knowledge | undefined;

function knowledge(): Knowledge {
  if (loaded === undefined) {
    if (!existsSync(FILE))
      throw new Error('knowledge.json is missing from the package. Run `npm run build`.');
    const compiled: Knowledge = JSON.parse(readFileSync(FILE, 'utf8'));
    loaded = compiled;
  }
  return loaded;
}

/** What is known of a program; undefined where nothing is. */
export function entryFor(name: string): Entry | undefined {
  const { entries, programs } = knowledge();
  return Object.hasOwn(programs, name) ? entries[programs[name] ?? -1] : undefined;
}

/** The name of a program that is given by another one. */
export function nameBehind(alias: string): string | undefined {
  const { aliases } = knowledge();
  return Object.hasOwn(aliases, alias) ? aliases[alias] : undefined;
}

/** The program that a word in the name of a server or a tool means. */
export function programServedBy(word: string): string | undefined {
  const { servers } = knowledge();
  return Object.hasOwn(servers, word) ? servers[word] : undefined;
}

/**
 * The names of all programs that something is known of.
 * @internal for tests
 */
export function programNames(): readonly string[] {
  return Object.keys(knowledge().programs);
}

/** Groups of words that people use for each other. */
export function synonymGroups(): Knowledge['synonyms'] {
  return knowledge().synonyms;
}

/** What a program does with some of its words; undefined where nothing is known. `*` is any program. */
export function actsOf(program: string): readonly ProgramAct[] | undefined {
  const { acts } = knowledge();
  return Object.hasOwn(acts, program) ? acts[program] : undefined;
}

/** The programs of which that is known. */
export function actingPrograms(): readonly string[] {
  return Object.keys(knowledge().acts);
}

/** What effects come to, by their words. */
export function effectActs(): readonly ActLine[] {
  return knowledge().effectActs;
}

/** What is said of a deed, by its act and object or else by its act alone. */
export function reasonFor(deed: DeedName, system: string | null = null): Reason | undefined {
  const { reasons } = knowledge();
  const ofSystem = system === null ? undefined : entryOf(reasons, `${deed} ${system}`);
  return ofSystem ?? entryOf(reasons, deed) ?? reasonForAct(deed);
}

/** What is said of an act, whatever it is done to. */
export function reasonForAct(deed: DeedName): Reason | undefined {
  const [act = ''] = deed.split(' ');
  return entryOf(knowledge().reasons, act);
}

/** The words that count where they are used like this. */
export function wordsFor(use: Use): readonly string[] {
  return knowledge().words[use];
}

const sets = remember((use: Use): ReadonlySet<string> => new Set(wordsFor(use)));

/** Whether a word counts where it is used like this. */
export function countsAs(use: Use, word: string): boolean {
  return sets(use).has(word);
}

/** The same as a part of a pattern. */
export function anyWordFor(use: Use): string {
  return `(?:${wordsFor(use).join('|')})`;
}

/** What labels of a kind say, as a part of a pattern. */
export function anyLabel(kind: LabelKind): string {
  return knowledge().labels[kind];
}

/** Groups of variables, by their names. */
export function variableGroups(): Variables {
  return knowledge().variables;
}

/** The names of the variables of a group, in which `*` stands for any text. */
export function variablesIn(group: string): readonly string[] {
  return variableGroups()[group]?.names ?? [];
}

/** Files of one list: patterns by the name of what they are. */
export function filesOf(list: FileList): FileLists[FileList] {
  return knowledge().files[list];
}

/** How programs are given secrets. */
export function secretUsages(): SecretUsages {
  return knowledge().secrets;
}

/** Who keeps something for others. */
export function services(): readonly Service[] {
  return knowledge().services;
}

/** What containers, addresses or pages of services are called, as a part of a pattern. */
export function anyServiceBy(key: 'images' | 'schemes' | 'pages'): string {
  return `(?:${services()
    .flatMap((service) => service[key])
    .join('|')})`;
}

/** Services that programs speak to through a module. */
export function codeServices(): readonly CodeService[] {
  return services().flatMap(({ system, code }) => (code ? [{ ...code, system }] : []));
}
