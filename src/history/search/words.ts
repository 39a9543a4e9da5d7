import { stem } from './stem.ts';

/** A word of a text as the index has it, and where it is. */
export interface Word {
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const MARKS = /\p{M}/gu;

/** Texts are full of the same words. */
const known = new Map<string, string>();
const MOST_KNOWN = 20_000;

/** Lower case, without diacritics, without its ending. */
export function stemOf(word: string): string {
  const found = known.get(word);
  if (found !== undefined) return found;
  const made = stem(word.toLowerCase().normalize('NFD').replace(MARKS, ''));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(word, made);
  return made;
}

export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : BLANK;
    // Of other characters only their classes tell, which takes much longer.
    if (code > LAST_ASCII) return wordsInAnyScript(text);
    if (IS_WORD[code] === 1) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      words.push({ stem: stemOf(text.slice(start, at)), start, end: at });
      start = -1;
    }
  }
  return words;
}

const BLANK = 32;
const LAST_ASCII = 127;
const IS_WORD = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) =>
  /[A-Za-z\d]/.test(String.fromCharCode(code)) ? 1 : 0,
);

function wordsInAnyScript(text: string): readonly Word[] {
  return Array.from(text.matchAll(WORDS), ({ 0: word, index }) => ({
    stem: stemOf(word),
    start: index,
    end: index + word.length,
  }));
}

const COMPOUND = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
const SEAMS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** The words that names in a text are made of: `rate limiter` of `RateLimiter`. */
export function partsOfNames(text: string): readonly string[] {
  const parts = new Set<string>();
  for (const [word] of text.matchAll(WORDS)) {
    if (COMPOUND.test(word)) parts.add(word.split(SEAMS).join(' ').toLowerCase());
  }
  return [...parts];
}

/** Words that say nothing about what is looked for: the small ones, and those that questions are made of. */
const SILENT = `
  a an the this that these those some any each every all both such same other another
  i me my mine we us our ours you your yours he him his she her it its them their theirs they
  is are was were be been being am isn aren wasn weren
  do does did done doing don doesn didn
  has have had having hasn haven hadn
  can could will would shall should may might must cannot couldn wouldn shouldn won
  and or but nor so if then else than as of at by for from in into on onto off over to up with without within
  about during through under via per
  what which who whom whose when where why how whether whatever whichever
  there here now just also too very really actually ever yet still already only even
  not no yes please tell
  s t ll re ve d m
`;

/** Words that rarely tell one piece of work from another, and sometimes do. */
const FAINT = `
  thing things stuff something anything someone anyone somewhere
  got get gets getting let lets make made makes making put went go goes going want wanted need needed
  ago last week weeks month months yesterday today day days earlier previous previously recently time times first
  happen happens happened use used using uses work worked working works
  again against after before between until while because
  show find look looking search remember recall know end ended way
  session sessions agent agents conversation chat
`;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));
const silent = setOf(SILENT);
const faint = setOf(FAINT);

export function isSilent(word: string): boolean {
  return silent.has(word.toLowerCase());
}

export function isFaint(word: string): boolean {
  return faint.has(word.toLowerCase());
}
