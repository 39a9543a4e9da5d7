import type { Option, Word } from './analysis.ts';
import { tail } from './word.ts';

type Takes = 'nothing' | 'value' | 'attached' | 'command';

interface Known {
  readonly name: string;
  readonly takes: Takes;
}

/** A tool's options, compiled from a line such as `rR,recursive f,force t,target-directory= color?`. */
export interface OptionTable {
  readonly short: ReadonlyMap<string, Known>;
  readonly long: ReadonlyMap<string, Known>;
}

const MARKS: Readonly<Record<string, Takes>> = { '=': 'value', '?': 'attached', '*': 'command' };

const compiled = new Map<string, OptionTable>();

/**
 * Letters before the comma are short forms, the word after it the long one; `=` takes a value, `?` takes one only when
 * attached, `*` takes a command that ends in `;`. An ambiguous abbreviation means the option listed first, so dangerous
 * options come first.
 */
export function optionTable(spec: string): OptionTable {
  const cached = compiled.get(spec);
  if (cached) return cached;
  const short = new Map<string, Known>();
  const long = new Map<string, Known>();
  for (const entry of spec.split(/\s+/)) {
    if (entry === '') continue;
    const last = entry.at(-1);
    const takes: Takes = MARKS[last ?? ''] ?? 'nothing';
    const bare = takes === 'nothing' ? entry : entry.slice(0, -1);
    const comma = bare.indexOf(',');
    const shorts = comma >= 0 ? bare.slice(0, comma) : bare.length === 1 ? bare : '';
    const name = comma >= 0 ? bare.slice(comma + 1) : bare.length === 1 ? '' : bare;
    // `--color=x` but never `-cx`: a short form takes an attached value only if it is the only form in the spec.
    const shortTakes = takes === 'attached' && name !== '' ? 'nothing' : takes;
    for (const letter of shorts) {
      short.set(letter, { name: name === '' ? `-${letter}` : `--${name}`, takes: shortTakes });
    }
    if (name !== '') long.set(name, { name: `--${name}`, takes });
  }
  const table: OptionTable = { short, long };
  // Specs are constants of the knowledge, so this cannot grow.
  compiled.set(spec, table);
  return table;
}

export const NO_OPTIONS: OptionTable = optionTable('');

interface ParseStyle {
  /** Options end at the first operand. */
  readonly stop?: boolean | undefined;
  /** `-name` is one option, not a bundle, in find, terraform and java. */
  readonly singleDash?: boolean | undefined;
  /** True for an undescribed tool, whose bundles are kept as written. */
  readonly generic?: boolean | undefined;
}

/** Sorts `argv` from `from` on into options and operands. With `stop`, returns where the operands begin. */
export function parseOptions(
  argv: readonly Word[],
  from: number,
  table: OptionTable,
  style: ParseStyle,
  options: Option[],
  operands: Word[],
): number {
  let i = from;
  for (; i < argv.length; i++) {
    const word = argv[i];
    if (word === undefined) break;
    const text = word.template;
    if (text.charCodeAt(0) !== 45 || text.length === 1) {
      if (style.stop) return i;
      operands.push(word);
    } else if (text === '--') {
      i++;
      if (style.stop) return i;
      for (; i < argv.length; i++) {
        const rest = argv[i];
        if (rest) operands.push(rest);
      }
      break;
    } else if (text.charCodeAt(1) === 45 || style.singleDash) {
      i += longOption(argv, i, word, table, options, style.singleDash === true && text.charCodeAt(1) !== 45);
    } else if (style.generic) {
      const equals = text.indexOf('=');
      const name = equals < 0 ? text : text.slice(0, equals);
      options.push({
        name,
        value: equals < 0 ? null : tail(word, equals + 1),
        raw: word.raw,
        declared: false,
      });
    } else {
      i += shortOptions(argv, i, word, table, options);
    }
  }
  return i;
}

/** Returns how many further words were taken. */
function longOption(
  argv: readonly Word[],
  at: number,
  word: Word,
  table: OptionTable,
  options: Option[],
  single: boolean,
): number {
  const text = word.template;
  const start = single ? 1 : 2;
  const equals = text.indexOf('=');
  const written = equals < 0 ? text.slice(start) : text.slice(start, equals);
  const known =
    lookUp(table, written) ?? (single && written.length === 1 ? table.short.get(written) : undefined);
  const name = known?.name ?? `--${written}`;
  const declared = known !== undefined;
  if (equals >= 0) {
    options.push({ name, value: tail(word, equals + 1), raw: word.raw, declared });
    return 0;
  }
  if (known?.takes === 'command') {
    options.push({ name, value: null, raw: word.raw, declared });
    const end = argv.findIndex((next, i) => i > at && (next.text === ';' || next.text === '+'));
    return (end < 0 ? argv.length : end) - at;
  }
  const value = known?.takes === 'value' ? argv[at + 1] : undefined;
  options.push({ name, value: value ?? null, raw: word.raw, declared });
  return value ? 1 : 0;
}

function lookUp(table: OptionTable, written: string): Known | undefined {
  const exact = table.long.get(written);
  if (exact) return exact;
  if (written.startsWith('no-')) {
    const positive = table.long.get(written.slice(3));
    if (positive) return { name: `--${written}`, takes: 'nothing' };
  }
  if (written.length < 2) return undefined;
  for (const [name, known] of table.long) if (name.startsWith(written)) return known;
  return undefined;
}

/** Longer than any real bundle. */
const LONG_BUNDLE = 32;

function shortOptions(
  argv: readonly Word[],
  at: number,
  word: Word,
  table: OptionTable,
  options: Option[],
): number {
  const text = word.template;
  const seen = text.length > LONG_BUNDLE ? new Set<string>() : null;
  for (let j = 1; j < text.length; j++) {
    const letter = text.charAt(j);
    const known = table.short.get(letter);
    if (seen?.has(letter) && (known === undefined || known.takes === 'nothing')) continue;
    seen?.add(letter);
    const name = known?.name ?? `-${letter}`;
    if (known === undefined || known.takes === 'nothing') {
      options.push({ name, value: null, raw: word.raw, declared: known !== undefined });
      continue;
    }
    if (j + 1 < text.length) {
      options.push({ name, value: tail(word, j + 1), raw: word.raw, declared: true });
      return 0;
    }
    const value = known.takes === 'value' ? argv[at + 1] : undefined;
    options.push({ name, value: value ?? null, raw: word.raw, declared: true });
    return value ? 1 : 0;
  }
  return 0;
}

/** True if an option is on; the last of `--x` and `--no-x` wins. */
export function isOn(options: readonly Option[], name: string): boolean {
  const negated = `--no-${name.slice(2)}`;
  const last = options.findLast((option) => option.name === name || option.name === negated);
  return last?.name === name && !isOff(last);
}

/** `--force=false` turns an option off. A number may be a real value. */
export function isOff({ name, value, raw }: Option): boolean {
  return (
    value?.text != null && name.startsWith('-') && raw.includes('=') && /^(?:false|no|off)$/i.test(value.text)
  );
}

/** True if the option is on and belongs to the subcommand rather than to the program before it. */
export function isGiven(option: Option): boolean {
  return option.general !== true && !isOff(option);
}
