/*
 * Porter's algorithm (1980), as the full-text index has it: what is found by the index is found again here, to say where
 * in a text it is and how much it counts.
 */

/** The stem of a word in lower case without diacritics. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return STEPS.reduce((stemmed, step) => step(stemmed), word);
}

const CONSONANT = '[^aeiou]';
const VOWEL = '[aeiouy]';
const CONSONANTS = `${CONSONANT}[^aeiouy]*`;
const VOWELS = `${VOWEL}[aeiou]*`;
/** How often vowels are followed by consonants: more than never, exactly once, more than once. */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const MORE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`);
const DOUBLED = /([^aeioulsz])\1$/;
const SHORT = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`);

function plural(word: string): string {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function past(word: string): string {
  if (word.endsWith('eed')) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const end = /(?:ed|ing)$/.exec(word)?.[0];
  const rest = end === undefined ? '' : word.slice(0, -end.length);
  if (end === undefined || !HAS_VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLED.test(rest)) return rest.slice(0, -1);
  return SHORT.test(rest) ? `${rest}e` : rest;
}

function finalY(word: string): string {
  return word.endsWith('y') && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

const DOUBLE_ENDINGS: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  logi: 'log',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
};
const ENDINGS: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};

function replaced(endings: Readonly<Record<string, string>>): (word: string) => string {
  const form = new RegExp(`(?:${Object.keys(endings).join('|')})$`);
  return (word) => {
    const end = form.exec(word)?.[0];
    const rest = end === undefined ? '' : word.slice(0, -end.length);
    return end !== undefined && SOME.test(rest) ? rest + (endings[end] ?? '') : word;
  };
}

const LAST_ENDING =
  /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function lastEnding(word: string): string {
  const end = LAST_ENDING.exec(word)?.[0];
  const rest = end === undefined ? '' : word.slice(0, -end.length);
  return end !== undefined && MORE.test(rest) ? rest : word;
}

function finalE(word: string): string {
  if (!word.endsWith('e')) return word.endsWith('ll') && MORE.test(word) ? word.slice(0, -1) : word;
  const rest = word.slice(0, -1);
  const goes = MORE.test(rest) || (ONE.test(rest) && !SHORT.test(rest));
  if (!goes) return word;
  return rest.endsWith('ll') && MORE.test(rest) ? rest.slice(0, -1) : rest;
}

const STEPS = [plural, past, finalY, replaced(DOUBLE_ENDINGS), replaced(ENDINGS), lastEnding, finalE];
