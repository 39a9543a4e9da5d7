import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf } from '../../../src/model/lookup.ts';
import { parseRules } from '../../../src/rules/files/load.ts';
import { PACKS_FOLDER } from '../../../src/rules/pack-data.ts';
import { EXAMPLE_PLACES } from '../../../src/rules/places/example.ts';
import { fixedPlaces, type Places } from '../../../src/rules/places/named.ts';
import type { Rule } from '../../../src/rules/rule.ts';

const PLACES: Places = { ...fixedPlaces(), ...EXAMPLE_PLACES };

/** The rules of a pack read like those of users: from the text, with every name in it replaced. */
export function rulesInYaml(pack: string): readonly Rule[] {
  const path = join(PACKS_FOLDER, `${pack}.yaml`);
  const text = readFileSync(path, 'utf8').replace(/"<([\w-]+)>"/g, (whole, name: string) => {
    const places = entryOf(PLACES, name);
    return places === undefined ? whole : JSON.stringify(places).slice(1, -1);
  });
  // What only packs say.
  const own = text.replace(/^ {4}was:\n(?: {6}.*\n)+/gm, (lines) => lines.replace(/.+/g, ''));
  return parseRules(own, path, { layer: 'pack', pack, observing: false }).rules;
}
