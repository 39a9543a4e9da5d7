import { entryOf } from '../model/lookup.ts';
import type { Analysis, PathRef, SimpleCommand, Word } from './analysis.ts';
import { LANGUAGES } from './code/languages.ts';
import { listedIn } from './code/listings.ts';
import { onlyReads } from './code/reading.ts';
import { hasUnknown } from './placeholders.ts';
import { pathRef, resolvePath } from './places/paths.ts';
import { isFullyDescribed } from './traits/fully-described.ts';
import { makeWord } from './word.ts';

/** A path passed to a program that may write to it. */
export interface PossibleWrites {
  readonly command: number;
  /** A word of the command; its working directory or a setting; mentioned in a longer text; or too many to list. */
  readonly as: 'word' | 'place' | 'mention' | 'anything';
  readonly ref: PathRef;
}

/** More paths than any real line has. */
const MAX_GIVEN = 16_000;
/** No system accepts a longer path. */
const LONGEST_PATH = 4096;

const ANYTHING: PathRef = { path: null, prefix: null, ending: null, raw: '', glob: false, sifted: false };

/** Collects each path once. Beyond the limit, adds one that may be anything. */
class Places {
  readonly found: PossibleWrites[] = [];
  private readonly seen = new Set<string>();

  get full(): boolean {
    return this.found.length > MAX_GIVEN;
  }

  add(command: number, as: PossibleWrites['as'], key: string, ref: () => PathRef): void {
    const place = `${command}${as}${key}`;
    if (this.full || this.seen.has(place)) return;
    this.seen.add(place);
    this.found.push(
      this.found.length === MAX_GIVEN
        ? { command, as: 'anything', ref: ANYTHING }
        : { command, as, ref: ref() },
    );
  }
}

/**
 * Where the programs of a line may write without an effect that says so. In contrast to effects, a program counts as
 * writing to every path it gets, unless the use of all its words is known.
 */
export function possibleWrites(analysis: Analysis, home: string | null): readonly PossibleWrites[] {
  const places = new Places();
  const { commands } = analysis;
  const owner = ownersOf(commands);
  const exported: Text[] = [];
  for (const [index, command] of commands.entries()) {
    if (command.tool === 'export' || command.tool === 'declare') exported.push(...command.argv.slice(1));
    if (places.full || command.inert || command.place !== 'local') continue;
    const base = { cwd: command.cwd, home: home ?? '~', within: command.within, names: analysis.names };
    const add = ({ template, glob }: Text, as: PossibleWrites['as']) => {
      if (template.length > LONGEST_PATH) return;
      places.add(index, as, template, () => pathRef(makeWord(template, template, glob), base));
    };
    const words = command.argv.slice(1).filter((word) => owner.get(word) === index);
    const open = words.filter((word) => !isFullyDescribed(command, word));
    if (open.length === 0 && isFullyDescribed(command, null)) continue;
    if (command.cwd !== null) add(plain(command.cwd), 'place');
    for (const template of command.within ?? []) add({ template, glob: true }, 'place');
    const own: Text[] = [];
    for (const word of open) addPlaces(own, word);
    const settings: Text[] = [];
    for (const { value } of command.assignments) addPlaces(settings, plain(value ?? ''));
    for (const word of exported) addPlaces(settings, word);
    for (const text of own) add(text, hasUnknown(text.template) ? 'place' : 'word');
    for (const text of settings) add(text, 'place');
    if (own.some(isAnchored) || settings.some(isAnchored))
      for (const text of joined([...own, ...settings])) {
        if (places.full) break;
        add(text, 'place');
      }
    for (const word of open)
      for (const text of mentionsIn(word, command, commands)) add(plain(text), 'mention');
  }
  for (const { command, text } of analysis.code) {
    if (places.full || onlyReads(analysis, command, text)) continue;
    const base = { cwd: commands[command]?.cwd ?? null, home: home ?? '~' };
    for (const ref of placesInCode(text, base)) {
      if (places.full) break;
      places.add(command, 'place', `${ref.raw}\0${ref.ending}`, () => ref);
    }
    for (const folder of listedIn(text)) {
      const found = resolvePath(/[*?]/.test(folder) ? folder : `${folder}/**`, base);
      places.add(command, 'place', `\0${found}`, () => ({ ...ANYTHING, among: [found] }));
    }
  }
  return places.found;
}

type Text = Pick<Word, 'template' | 'glob'>;

const plain = (template: string): Text => ({ template, glob: false });

/**
 * The words of a wrapped command don't belong to the wrapper. If an unknown program is only assumed to run another one,
 * that other file may instead be what it changes.
 */
function ownersOf(commands: readonly SimpleCommand[]): ReadonlyMap<Word, number> {
  const owners = new Map<Word, number>();
  for (const [index, { argv, guessed }] of commands.entries())
    for (const word of guessed ? argv.slice(1) : argv) owners.set(word, index);
  return owners;
}

const MAX_ENDS = 8;
const PLACE_START = /^-[A-Za-z](?=[/~.])|[=:,@]/g;

/** `x` itself, and what follows `-o`, `--out=`, `of=`, `host:`, `file://`. */
function addPlaces(places: Text[], { template: text, glob }: Text): void {
  if (/\s/.test(text)) return;
  if (text.search(PLACE_START) < 0) {
    if (text !== '' && !text.startsWith('-')) places.push({ template: withOneSlash(text), glob });
    return;
  }
  const ends: string[] = [];
  // A name may contain such a sign, but rarely many. After the first few, each piece counts as a separate path.
  let hasMore = false;
  for (const { index, 0: mark } of text.matchAll(PLACE_START)) {
    hasMore = ends.length === MAX_ENDS;
    if (hasMore) break;
    ends.push(text.slice(index + mark.length));
  }
  const found = new Set<string>();
  for (const piece of [text, ...ends, ...(hasMore ? new Set(text.split(/[=:,@]/)) : [])]) {
    // One path beyond the limit is enough.
    if (found.size > MAX_GIVEN) break;
    if (piece !== '' && !piece.startsWith('-')) found.add(withOneSlash(piece));
  }
  for (const template of found) places.push({ template, glob });
}

const withOneSlash = (text: string): string => text.replace(/^\/\/+/, '/');

const isAnchored = ({ template }: Text): boolean => /^(?:[/~]|\.\.)/.test(template);

/** `-C dir name`: a program may change into one of its words and resolve the others there. */
function* joined(places: readonly Text[]): Iterable<Text> {
  const names = places.filter((place) => !isAnchored(place));
  for (const folder of new Set(places.filter(isAnchored)))
    for (const name of names)
      yield { template: `${folder.template}/${name.template}`, glob: folder.glob || name.glob };
}

const NOTHING: readonly string[] = [];

/** Options whose values are prose. */
const SAID = /^--?(?:m|message|b|body|t|title|d|description|n|notes|subject|comment|text|p|prompt|print)$/;

/** Paths in code of an unsupported language: `--eval '(delete-file "~/x")'`. */
function mentionsIn(
  word: Word,
  command: SimpleCommand,
  commands: readonly SimpleCommand[],
): readonly string[] {
  if (!/[\s()'"]/.test(word.template) || isRead(command, commands)) return NOTHING;
  const before = command.argv[command.argv.indexOf(word) - 1]?.template ?? '';
  return SAID.test(before) || SAID.test(word.template.replace(/=.*/s, ''))
    ? []
    : tokensOf(word.template).filter((token) => /^[/~]/.test(token));
}

/** True if its words were already read as commands or code. */
function isRead({ tool, name }: SimpleCommand, commands: readonly SimpleCommand[]): boolean {
  return entryOf(LANGUAGES, tool ?? '') !== undefined || commands.some(({ via }) => via.includes(name ?? ''));
}

const TOKEN = /[~\w./+-]*[/.~][~\w./+-]*/g;

function tokensOf(text: string): string[] {
  return [...text.matchAll(TOKEN)].map(([token]) => token);
}

/**
 * Paths that the strings of a program text may mean: a whole path, or the end of a built one. Adjacent strings such as
 * `'.x', 'y'` may form one path.
 */
function* placesInCode(code: string, base: Parameters<typeof pathRef>[1]): Iterable<PathRef> {
  const seen = new Set<string>();
  for (const token of codeTokens(code)) {
    if (token.length > LONGEST_PATH || seen.has(token)) continue;
    seen.add(token);
    const ref = pathRef(makeWord(token, token, /[*?]/.test(token)), base);
    yield ref;
    const dot =
      token.startsWith('.') && !token.startsWith('./') && !token.startsWith('..')
        ? 0
        : token.indexOf('/.') + 1;
    if (token[dot] === '.' && /^\.\w/.test(token.slice(dot, dot + 2)))
      yield { ...ref, path: null, ending: `/${token.slice(dot)}` };
  }
}

const BETWEEN = /^['"`)\]\s]*(?:[,+/]|\.{1,2})?\s*(?:[bfr]?['"`(])?$/;
/**
 * Pattern signs count only after a piece of a name: `/.*x/` is a regular expression. A dot after a bracket doesn't
 * belong to a name.
 */
const NAME = /(?:[~\w/-]|(?<![)\]])\.|(?<=\w{3})[*?])+/g;

/** Tokens that look like a path, alone and with the next one or two. */
function* codeTokens(code: string): Iterable<string> {
  const names = [...code.matchAll(NAME)];
  for (const [at, { 0: first, index }] of names.entries()) {
    if (!/^[.~/]|\//.test(first)) continue;
    yield first;
    let last = first;
    let end = index + first.length;
    for (const next of names.slice(at + 1, at + 3)) {
      if (!BETWEEN.test(code.slice(end, next.index))) break;
      yield `${last}${next[0]}`;
      last = `${last}/${next[0]}`;
      yield last;
      end = next.index + next[0].length;
    }
  }
}
