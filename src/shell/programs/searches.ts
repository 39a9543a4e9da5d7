import type { SimpleCommand, Word } from '../analysis.ts';
import { looksOfFind } from '../reading/find.ts';
import { readerFor } from '../reading/program-readers.ts';
import type { Look, Reading } from '../reading/reader.ts';
import { readingOf } from '../reading/reading.ts';

/** Placeholder for a found name. */
const FOUND = '{}';
/** Options that pass names on without changing their source or separator. */
const GIVES_ON: ReadonlySet<string> = new Set([
  ...['--null', '--no-run-if-empty', '--max-args', '--max-lines', '--max-procs', '-I'],
]);

/** A search and the command it runs for each result, if both only read. */
interface SearchReading {
  /** Number of commands that form the search. */
  readonly size: number;
  readonly reading: Reading;
}

/**
 * `find … -exec grep x {} +` and `find … | xargs grep x`: reads whatever is found. Null if it does anything else, or if
 * a name may become something other than one word.
 */
export function readingOfSearch(commands: readonly SimpleCommand[], at: number): SearchReading | null {
  const [search, next, last] = commands.slice(at, at + 3);
  if (search?.argv[0]?.text !== 'find' || next === undefined) return null;
  const words = search.argv.slice(1);
  if (isDoneBy(next, 'find')) {
    const bare = withoutExec(words);
    return bare && readsEach(next) ? made(2, looksOfFind(bare), 'all') : null;
  }
  const isFed = next.argv[0]?.text === 'xargs' && search.pipeline?.index === 0 && next.pipeline?.index === 1;
  if (!isFed || last === undefined || !isDoneBy(last, 'xargs') || !readsEach(last)) return null;
  if (!next.options.every(({ name, declared }) => declared && GIVES_ON.has(name))) return null;
  // Without this, a blank in a name splits it in two.
  const isWhole =
    next.options.some(({ name }) => name === '--null') && words.some(({ text }) => text === '-print0');
  return made(3, looksOfFind(words), isWhole ? 'all' : 'words');
}

function made(size: number, looks: readonly Look[] | null, below: Look['below']): SearchReading | null {
  if (looks === null) return null;
  const all = looks.map((look): Look => ({ ...look, at: 'contents', below }));
  return { size, reading: { looks: all, folder: null, moves: false, inRepository: false, compares: false } };
}

const isDoneBy = ({ via, guessed, place }: SimpleCommand, name: string): boolean =>
  via.length === 1 && via[0] === name && !guessed && place === 'local';

/** A reader that takes files only as words: a found name can't be a script, an output file or an option. */
function readsEach(command: SimpleCommand): boolean {
  const { argv, redirects, assignments } = command;
  const name = argv[0]?.text;
  const reader = name == null ? undefined : readerFor(name);
  if (!reader || reader.accepts || reader.moves || redirects.length > 0 || assignments.length > 0)
    return false;
  if (reader.operands !== 'contents' && reader.operands !== 'names') return false;
  const words = argv.filter(({ raw }) => raw !== FOUND);
  // Its own words come first, so that the first of them is the search expression.
  if (words.length === argv.length || argv.slice(words.length).some(({ raw }) => raw !== FOUND)) return false;
  return readingOf({ ...command, argv: words })?.looks.length === 0 && words.length > (reader.skip ?? 0);
}

/** The words of a search without the command it runs; null if that has no end, or if there are several. */
function withoutExec(words: readonly Word[]): readonly Word[] | null {
  const start = words.findIndex(({ text }) => text === '-exec');
  const end = words.findIndex(({ text }, at) => at > start && (text === ';' || text === '+'));
  return start < 0 || end < 0 ? null : [...words.slice(0, start), ...words.slice(end + 1)];
}
