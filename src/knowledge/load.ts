import { existsSync, readFileSync } from 'node:fs';
import type { Entry, Knowledge } from './program.ts';
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

/** The names of all programs that something is known of. */
export function programNames(): readonly string[] {
  return Object.keys(knowledge().programs);
}

/** The words that count where they are used like this. */
export function wordsFor(use: Use): readonly string[] {
  return knowledge().words[use];
}

/** The same as a part of a pattern. */
export function anyWordFor(use: Use): string {
  return `(?:${wordsFor(use).join('|')})`;
}
