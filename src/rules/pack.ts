import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOf } from '../model/lookup.ts';
import { suggestion } from '../model/suggestion.ts';
import { LEFTOVERS } from './leftovers.ts';
import { type LoadedRules, parseRules } from './load.ts';
import { SECRET_PLACES } from './secret-places.ts';
import type { RuleSource } from './source.ts';

/** Rules that come with Hookline, in the same language as everybody's. */
const PACKS_FOLDER: string = fileURLToPath(new URL('./packs/', import.meta.url));

/** What `"<name>"` in a pack stands for: folders and files that differ from machine to machine. */
export type Places = Readonly<Record<string, readonly string[]>>;

export function packNames(): string[] {
  const files = readdirSync(PACKS_FOLDER).filter((name) => name.endsWith('.yaml'));
  return files.map((name) => name.replace(/\.yaml$/, '')).sort();
}

/** A pack, read when it is first needed. It does not change while we run. */
export function openPack(name: string, observing: boolean, places: Places): RuleSource {
  let loaded: LoadedRules | null = null;
  const load = () => {
    loaded ??= readPack(name, observing, places);
    return loaded;
  };
  return { load, rules: () => load().rules, problems: () => load().problems };
}

function readPack(name: string, observing: boolean, places: Places): LoadedRules {
  const path = join(PACKS_FOLDER, `${name}.yaml`);
  if (!existsSync(path)) {
    return { rules: [], problems: [{ where: 'config.yaml', message: noSuchPack(name) }] };
  }
  const text = readFileSync(path, 'utf8').replace(/"<([\w-]+)>"/g, (whole, place: string) => {
    const paths = entryOf(places, place) ?? entryOf(SECRET_PLACES, place) ?? entryOf(LEFTOVERS, place);
    return paths ? paths.map((one) => JSON.stringify(one)).join(', ') : whole;
  });
  return parseRules(text, path, { layer: 'pack', pack: name, observing });
}

export function noSuchPack(name: string): string {
  const names = packNames();
  return `there is no pack "${name}"; ${suggestion(name, names) ?? `there are ${names.join(', ')}`}`;
}

/** The ids of all rules of all packs, be they on or off. */
export function packRuleIds(): string[] {
  return packTexts().flatMap((text) => [...text.matchAll(RULE_ID)].map(([, id = '']) => id));
}

/** All that packs say under `effects`. */
export function packEffects(): string[] {
  return packTexts().flatMap((text) =>
    [...text.matchAll(EFFECTS)].flatMap(([, list, one = '']) => (list ?? one).split(',')),
  );
}

/** To read them as rules would take a hundred times as long. */
function packTexts(): string[] {
  return packNames().map((name) => readFileSync(join(PACKS_FOLDER, `${name}.yaml`), 'utf8'));
}

const RULE_ID = /^ {2}- id: *(\S+)$/gm;
const EFFECTS = /\beffects: *(?:\[([^\]]*)\]|([\w -]+))/g;

/** What a pack says it is for, and how many rules it has. */
export function aboutPack(name: string): { readonly summary: string; readonly rules: number } {
  const path = join(PACKS_FOLDER, `${name}.yaml`);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const summary = /^description: *(.+)$/m.exec(text)?.[1] ?? '';
  return { summary, rules: [...text.matchAll(RULE_ID)].length };
}
