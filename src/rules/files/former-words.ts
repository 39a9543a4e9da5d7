import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';

/** Former names of rule keys and effect words. Existing rules keep working. */
const KEYS: Readonly<Record<string, string>> = { refused: 'denied', refusals: 'denials', gives: 'exposes' };
const KINDS: Readonly<Record<string, string>> = { give: 'expose' };
const WORDS: Readonly<Record<string, string>> = { throwaway: 'disposable' };

interface CurrentRule {
  readonly rule: unknown;
  /** The replacements for its former words. */
  readonly former: readonly string[];
}

/** A rule with current words. */
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
        // If both are present, the former one counts as an unknown key.
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
