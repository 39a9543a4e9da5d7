import { services } from '../knowledge/load.ts';
import { remember } from '../platform/bounded.ts';

type Trait = 'sql' | 'cypher' | 'keys' | 'secrets';

const servers = remember((trait: Trait) => {
  const all = services().filter(({ speaks, keeps }) => speaks === trait || keeps === trait);
  const whole = all.flatMap(({ words }) => words).map((word) => `${wordStart(word)}${word}(?:[_-]|\\b)`);
  return new RegExp([...all.flatMap((one) => one.servers), ...whole].join('|'), 'i');
});

const wordStart = (word: string): string => (word.startsWith('_') ? '' : '\\b');

/** Whether the name of a server or a tool means a service that speaks this language, or keeps such things. */
export function isServerOf(trait: Trait, name: string): boolean {
  return servers(trait).test(name);
}
