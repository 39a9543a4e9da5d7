import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';

/** What keys of rules and words of effects were called before. Rules that people have written keep working. */
const KEYS: Readonly<Record<string, string>> = { refused: 'denied', refusals: 'denials', gives: 'exposes' };
const KINDS: Readonly<Record<string, string>> = { give: 'expose' };
const WORDS: Readonly<Record<string, string>> = { throwaway: 'disposable' };

interface CurrentRule {
  readonly rule: unknown;
  /** What to write instead, for each former word in it. */
  readonly former: readonly string[];
}

/** A rule in the words of today. */
export function inCurrentWords(rule: unknown): CurrentRule {
  const former = new Set<string>();
  const current = (name: string, names: Readonly<Record<string, string>>): string => {
    const now = entryOf(names, name);
    if (now !== undefined) former.add(`"${name}" is called "${now}" now`);
    return now ?? name;
  };
  const effect = (text: unknown) => {
    if (typeof text !== 'string') return text;
    const [kind = '', ...words] = text.split(/(?<=\s)|(?=\s)/);
    return [current(kind, KINDS), ...words.map((word) => current(word, WORDS))].join('');
  };
  const conditions = (text: unknown): unknown => {
    if (Array.isArray(text)) return text.map(conditions);
    if (!isObject(text)) return text;
    return Object.fromEntries(
      Object.entries(text).map(([key, value]) => {
        if (key === 'effects') return [key, Array.isArray(value) ? value.map(effect) : effect(value)];
        if (key === 'unless') return [key, conditions(value)];
        if (key === 'tests') return [key, examples(value)];
        // Written both ways, the former one is an unknown key.
        return [Object.hasOwn(text, KEYS[key] ?? '') ? key : current(key, KEYS), value];
      }),
    );
  };
  const examples = (tests: unknown): unknown =>
    isObject(tests)
      ? Object.fromEntries(Object.entries(tests).map(([name, list]) => [name, conditions(list)]))
      : tests;
  return { rule: conditions(rule), former: [...former] };
}
