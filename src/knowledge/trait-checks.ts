import { declared } from './declared.ts';
import type { Entry } from './program.ts';

/** What is wrong with what a file says beside what the words of a program mean. */
export function traitProblems(entry: Entry): string[] {
  return [...describedAnyway(entry), ...unseenOptions(entry), ...unknownReading(entry), ...dashes(entry)];
}

/** Traits that a program can have even if its words are undescribed. */
const BESIDE_WORDS: readonly string[] =
  'arguments carries code covered data dialect doors dumps feeds goals harmless installs machine observes onlyReads place printsSecrets purpose tellsVersion tunnels'.split(
    ' ',
  );

function describedAnyway(entry: Entry): string[] {
  if (entry.arguments === undefined) return [];
  return Object.keys(entry)
    .filter((key) => !BESIDE_WORDS.includes(key))
    .map((key) => `${key} says what its words mean, and they are unknown`);
}

/** Some fields may name what is not declared, but nothing that is seen under another name: `-n` of `n,dry-run`. */
function unseenOptions(entry: Entry): string[] {
  const known = declared(entry);
  const named = [
    ...(entry.preview ?? []).flatMap((preview) => preview.with),
    ...(entry.uploads ?? []).flatMap((upload) => [...(upload.values ?? []), ...(upload.with ?? [])]),
    ...(entry.printsSecrets ?? []).flatMap((verb) => verb.split(' ').filter((part) => part.startsWith('-'))),
  ];
  return named.flatMap((option) => {
    if (known.some(({ name }) => name === option)) return [];
    const isShort = !option.startsWith('--');
    const seen = known.find(({ name, letters }) =>
      isShort ? letters.includes(option.slice(1)) : name.startsWith(option),
    );
    return seen ? [`${option} is seen as ${seen.name}`] : [];
  });
}

/** What a program only reads with has a list of options of its own. */
function unknownReading({ onlyReads }: Entry): string[] {
  if (onlyReads === undefined) return [];
  const { options = '', skipUnless, below, follows, visibleUnless, here } = onlyReads;
  const known = new Set(declared({ options }).map(({ name }) => name));
  return [skipUnless, below, follows, visibleUnless, here]
    .flatMap((list) => (list === undefined || list === true ? [] : list))
    .filter((option) => !known.has(option))
    .map((option) => `${option} is not among the options with which it only reads`);
}

/** Harmless options are compared without dashes. */
function dashes({ harmless = [] }: Entry): string[] {
  return harmless
    .flatMap((one) => one.with)
    .filter((option) => option.startsWith('-'))
    .map((option) => `${option} is harmless, and written without dashes`);
}
