import { hasUnknown } from '../../placeholders.ts';
import type { Arguments } from './brackets.ts';
import { decoderOf } from './decoders.ts';
import { itemsOf } from './loops.ts';
import { concat, each, known, listOf, madeFrom, NOTHING, numberOf, textOf, type Value } from './value.ts';

/** Applies `make` to every pair of candidates of two values. */
export function choices(one: Value, other: Value, make: (one: Value, other: Value) => Value): Value {
  return each(one, (first) => each(other, (second) => make(first, second)));
}

const OPERATE: Readonly<Record<string, (one: number, other: number) => number>> = {
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '%': (one, other) => one % other,
  '^': (one, other) => one ^ other,
};

export function numbers(sign: string, one: Value, other: Value): Value {
  if (one.number !== undefined && other.number !== undefined)
    return numberOf(OPERATE[sign]?.(one.number, other.number) ?? Number.NaN);
  const made = madeFrom(one, other);
  if (sign === '*' && other.number !== undefined && !hasUnknown(one.text) && one.number === undefined) {
    if (other.number >= 0 && other.number * one.text.length < 4_096)
      return textOf(one.text.repeat(other.number), one);
  }
  return sign === '^' ? { ...made, decoded: true } : made;
}

const PLACES = /%%|%(?:\((\w+)\))?[-+ #0]*\d*(?:\.\d+)?[sdirfxc]/g;

/** `'%s' % value`, `sprintf('%s', value)`. */
export function filled(format: Value, value: Value): Value {
  if (format.items || format.any) return madeFrom(format, value);
  const given = value.items ?? [value];
  let at = 0;
  return put(format, PLACES, (whole, name) => {
    if (whole === '%%') return known('%');
    return name === undefined ? given[at++] : (value.fields?.get(name) ?? NOTHING);
  });
}

const BRACES = /\{\{|\}\}|\{(\w*)(?:[.[][^{}]*)?(?:[!:][^{}]*)?\}/g;

function formatted(format: Value, { list, named }: Arguments): Value {
  let at = 0;
  return put(format, BRACES, (whole, name = '') => {
    if (whole === '{{' || whole === '}}') return known(whole.charAt(0));
    if (name === '') return list[at++];
    return /^\d+$/.test(name) ? list[Number(name)] : (named.get(name) ?? NOTHING);
  });
}

function put(
  format: Value,
  places: RegExp,
  find: (whole: string, name?: string) => Value | undefined,
): Value {
  let made = known('', format.decoded);
  let from = 0;
  for (const { 0: whole, 1: name, index } of format.text.matchAll(places)) {
    const value = find(whole, name);
    if (value === undefined) continue;
    made = concat(
      concat(made, textOf(format.text.slice(from, index))),
      value.number === undefined ? value : known(value.text),
    );
    from = index + whole.length;
  }
  return concat(made, { ...textOf(format.text.slice(from), format), decoded: format.decoded });
}

/** Result of a call that only computes a value from others; null if it may have side effects. */
export function computed(path: string, owner: Value | null, args: Arguments): Value | null {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const [first = NOTHING] = args.list;
  const own = owner === null || owner.path !== undefined ? null : owner;
  const made = own === null ? null : (METHODS[name]?.(own, args) ?? null);
  if (made !== null) return made;
  const decode = decoderOf(path, name, args);
  if (decode !== null) return each(own === null || args.list.length > 0 ? first : own, decode);
  if (path === 'join')
    return joinedWith(
      args.list.slice(1).flatMap((one) => one.items ?? [one]),
      first,
    );
  return own === null || FREE.has(name) ? (FUNCTIONS[name]?.(first, args) ?? null) : null;
}

/** These mean the same on any receiver. */
const FREE: ReadonlySet<string> = new Set(['fromCharCode', 'fromCodePoint', 'fromhex']);

type Method = (own: Value, args: Arguments) => Value | null;

const same = (own: Value): Value => own;
const text =
  (change: (text: string) => string, decoded = false): Method =>
  (own) =>
    each(own, (value) => {
      if (value.items || value.fields || hasUnknown(value.text)) return madeFrom(value);
      return { ...textOf(change(value.text), value), decoded: decoded || value.decoded };
    });
const backwards: Method = (own, args) => {
  if (own.items) return { ...listOf(own.items.toReversed()), decoded: true };
  return own.number === undefined && args.list.length === 0
    ? text((one) => [...one].reverse().join(''), true)(own, args)
    : null;
};
const joining: Method = (own, { list }) => {
  const [first] = list;
  if (own.items) return joinedWith(own.items, first ?? known(','));
  return first?.items && !own.fields
    ? joinedWith(first.items, own)
    : first
      ? textOf(own.text === '' && !own.items ? first.text : madeFrom(own, first).text, own, first)
      : null;
};

function joinedWith(items: readonly Value[], between: Value): Value {
  let made = known('');
  for (const [at, item] of items.entries())
    made = concat(
      at === 0 ? made : concat(made, between),
      item.number === undefined ? item : known(item.text),
    );
  return made;
}

const MAX_PARTS = 2_000;

/** Methods of a text or a list, by name: `' '.join(list)`, `list.join(' ')`. */
const METHODS: Readonly<Record<string, Method | undefined>> = Object.assign(Object.create(null), {
  join: joining,
  format: formatted,
  decode: (own: Value, { list }: Arguments) =>
    /^(?:utf-?8|ascii|latin-?1|)$/i.test(list[0]?.text ?? '') ? own : null,
  encode: same,
  toString: (own: Value, { list }: Arguments) =>
    list.length === 0 || /^(?:utf-?8|ascii|latin1|binary)$/.test(list[0]?.text ?? '') ? own : null,
  to_s: same,
  to_str: same,
  to_a: same,
  asPosix: same,
  as_posix: same,
  trim: text((one) => one.trim()),
  strip: text((one) => one.trim()),
  chomp: text((one) => one.trimEnd()),
  rstrip: text((one) => one.trimEnd()),
  trimEnd: text((one) => one.trimEnd()),
  lower: text((one) => one.toLowerCase()),
  toLowerCase: text((one) => one.toLowerCase()),
  downcase: text((one) => one.toLowerCase()),
  upper: text((one) => one.toUpperCase()),
  toUpperCase: text((one) => one.toUpperCase()),
  upcase: text((one) => one.toUpperCase()),
  reverse: backwards,
  reversed: backwards,
  toReversed: backwards,
  replace: replaced,
  replaceAll: replaced,
  gsub: replaced,
  split: (own: Value, { list }: Arguments) => {
    if (own.any || own.items || hasUnknown(own.text)) return null;
    const by = list[0]?.text ?? '';
    const parts = list.length === 0 ? own.text.trim().split(/\s+/) : own.text.split(by);
    return parts.length > MAX_PARTS || hasUnknown(by)
      ? null
      : listOf(parts.map((part) => textOf(part, { ...own, marks: '' })));
  },
  concat: (own: Value, { list }: Arguments) => list.reduce((all, one) => concat(all, one), own),
  slice: cut,
  substring: cut,
} satisfies Record<string, Method | null>);

function replaced(own: Value, { list: [from, to] }: Arguments): Value | null {
  if (from === undefined || to === undefined || own.items || own.fields) return null;
  const isKnown =
    ![own, from].some((value) => hasUnknown(value.text)) && from.path === undefined && to.body === undefined;
  return isKnown
    ? each(own, (value) => textOf(value.text.split(from.text).join(to.text), value, to))
    : madeFrom(own, to);
}

function cut(own: Value, { list: [from, to] }: Arguments): Value | null {
  const items = itemsOf(own);
  if (items === undefined || from?.number === undefined) return madeFrom(own);
  const kept = items.slice(from.number, to?.number);
  return own.items ? listOf(kept) : textOf(kept.map((one) => one.text).join(''), own);
}

const character = (value: Value): Value =>
  each(value, (one) => {
    const code = one.number;
    const isCode = code !== undefined && code >= 0 && code <= 0x10ffff;
    return { ...(isCode ? known(String.fromCodePoint(code)) : madeFrom(one)), decoded: true };
  });
const characters = (values: readonly Value[]): Value => ({
  ...joinedWith(values.map(character), known('')),
  decoded: true,
});

/** `bytes([1, 2])`, `chr(1)`: computed from the first argument. */
const FUNCTIONS: Readonly<Record<string, ((first: Value, args: Arguments) => Value | null) | undefined>> =
  Object.assign(Object.create(null), {
    chr: (first: Value) => character(first),
    fromCharCode: (_: Value, { list }: Arguments) => characters(list),
    fromCodePoint: (_: Value, { list }: Arguments) => characters(list),
    bytes: (first: Value) => (first.items ? characters(first.items) : first),
    bytearray: (first: Value) => (first.items ? characters(first.items) : first),
    str: same,
    dumps: same,
    stringify: same,
    json_encode: same,
    dict: (first: Value, args: Arguments) => (args.list.length === 0 ? null : first),
    String: same,
    repr: same,
    list: (first: Value) => (first.any ? null : listOf(itemsOf(first) ?? [madeFrom(first)])),
    tuple: same,
    iter: same,
    sorted: same,
    reversed: (first: Value, args: Arguments) => backwards(first, { ...args, list: [] }),
    strrev: (first: Value, args: Arguments) => backwards(first, { ...args, list: [] }),
    ord: (first: Value) =>
      first.text.length === 1 && !hasUnknown(first.text)
        ? numberOf(first.text.charCodeAt(0))
        : madeFrom(first),
    int: numeric,
    parseInt: numeric,
    Number: numeric,
    sprintf: (first: Value, { list }: Arguments) => filled(first, listOf(list.slice(1))),
    format: (first: Value, { list }: Arguments) =>
      list.length > 1 ? filled(first, listOf(list.slice(1))) : null,
    implode: (first: Value, { list: [, second] }: Arguments) =>
      second?.items ? joinedWith(second.items, first) : madeFrom(first, second ?? NOTHING),
    join: joinedPaths,
    split: (first: Value) =>
      hasUnknown(first.text) || first.items ? null : listOf(words(first.text).map((word) => known(word))),
    trim: text((one) => one.trim()),
    strtolower: text((one) => one.toLowerCase()),
    lc: text((one) => one.toLowerCase()),
    expanduser: same,
    expandvars: same,
    abspath: same,
    realpath: same,
    Path: joinedPaths,
    PurePath: joinedPaths,
    Pathname: same,
    resolve: joinedPaths,
    normalize: same,
    fileURLToPath: same,
    expand_path: same,
    URL: same,
    URI: same,
    Request: (first: Value, { named }: Arguments) => (named.size > 0 ? { ...first, fields: named } : first),
    text: same,
    b: same,
  });

const words = (line: string): readonly string[] => line.trim().split(/\s+/);

function numeric(first: Value, { list: [, base] }: Arguments): Value {
  const number = Number.parseInt(first.text, base?.number ?? (/^0x/i.test(first.text) ? 16 : 10));
  return hasUnknown(first.text) ? madeFrom(first) : numberOf(number);
}

/** Joins path segments. In Python, an absolute segment starts over. */
function joinedPaths(first: Value, { list }: Arguments): Value | null {
  if (first.items) return joinedWith(first.items, list[1] ?? known(' '));
  return list.slice(1).reduce(
    (all, part) =>
      choices(all, part, (one, other) => {
        if (one.text !== '' && other.text.startsWith(one.text) && !hasUnknown(one.text))
          return textOf(other.text, one, other);
        return textOf(one.text === '' ? other.text : `${one.text}/${other.text}`, one, other);
      }),
    first,
  );
}

/** Elements of a list that is known only by a pattern. */
function elements(value: Value, make: (value: Value) => Value): Value {
  const made = each(value, make);
  return hasUnknown(made.text) ? made : listOf([made]);
}

const LISTS: ReadonlySet<string> = new Set(
  'rglob walk glob iglob iterdir listdir scandir globSync children entries readdirSync'.split(' '),
);

/** The pattern that a listing of a directory stands for in a loop. */
export function listing(path: string, owner: Value | null, { list }: Arguments): Value | null {
  const name = path.slice(path.lastIndexOf('.') + 1);
  if (!LISTS.has(name)) return null;
  const first = list[0];
  const root = owner !== null && owner.path === undefined ? owner : first;
  return elements(root ?? known('.'), (one) => {
    if (hasUnknown(one.text) || one.items || one.fields) return madeFrom(one);
    // Only a receiver that is a directory object takes the pattern as its argument.
    if (/[*?]/.test(one.text) || (/glob/i.test(name) && one === first)) return one;
    return textOf(`${one.text.replace(/\/$/, '')}/${name === 'rglob' || name === 'walk' ? '**' : '*'}`, one);
  });
}
