import type { Action } from '../language.ts';
import { act } from './actions.ts';
import type { Arguments } from './brackets.ts';
import { computed, listing } from './compute.ts';
import { type Reading, spend } from './cursor.ts';
import { run } from './functions.ts';
import { moduleName } from './imports.ts';
import { elementOf, itemsOf } from './loops.ts';
import type { Ref } from './postfix.ts';
import { askFrom, talk } from './requests.ts';
import { judge, operate } from './services.ts';
import { anyOf, known, listOf, madeFrom, NOTHING, type Value } from './value.ts';
import { environmentValue, memberOf, nameOf, pathValue } from './variables.ts';

const LOADS = /^(?:require|import|__import__|(?:importlib\.)?import_module|.*\.require|createRequire)$/;
const ASKS_VARIABLE =
  /(?:^|\.)(?:getenv|environ\.(?:get|pop)|ENV\.(?:fetch|delete)|env\.get|Getenv|env\.var)$/;
const ASKS_HOME = /(?:^|[./])(?:homedir|Path\.home|Dir\.home|UserHomeDir)$/;
const ALL_VARIABLES = /(?:^|\.)(?:getenv|env\.toObject|Environ|env\.vars(?:_os)?)$/;
/** Calls that create a directory with an unknown name. */
const MAKES_FOLDER =
  /(?:^|\.)(?:tempfile\.mkdtemp|fs\.mkdtempSync|fs\.mkdtemp|Dir\.mktmpdir|Deno\.makeTempDirSync|Deno\.makeTempDir)$/;
const NEW_FOLDER = '/tmp/tmp.new';
const MOST_CALLEES = 8;

/** Applies the effects of a call and returns its value. */
export function invoke(reading: Reading, callee: Ref, args: Arguments): Value {
  if (!spend(reading)) return NOTHING;
  const { value, owner } = callee;
  if (value.any && value.any.length <= MOST_CALLEES)
    return anyOf(value.any.map((one) => invoke(reading, { ...callee, value: one }, args)));
  if (value.body) return run(reading, value.body, ordered(value.body.params, args));
  const path = pathOf(reading, callee, args);
  const own = ownFunction(reading, callee, path);
  if (own) return run(reading, own, ordered(own.params, args));
  const special = isSpecial(value.path ?? path)
    ? (passed(reading, callee, path, args) ?? builtin(reading, path, owner, args))
    : null;
  return special ?? made(reading, path, owner, args) ?? outside(reading, callee, path, args);
}

/** Names that get a closer look. All other names mean nothing to the language itself. */
const SPECIAL: ReadonlySet<string> = new Set(
  (
    'require import __import__ import_module createRequire getattr globals locals vars getenv get pop fetch delete Getenv var ' +
    'homedir home UserHomeDir toObject Environ vars_os mkdtemp mkdtempSync mktmpdir makeTempDirSync makeTempDir compile StringIO ' +
    'BytesIO memoryview from Script call apply bind send public_send __send__ array_map array_walk call_user_func call_user_func_array'
  ).split(' '),
);
const isSpecial = (path: string): boolean => SPECIAL.has(path.slice(path.lastIndexOf('.') + 1));

/** Values in the order of their parameters. */
function ordered(params: readonly (readonly string[])[], { list, named }: Arguments): readonly Value[] {
  return named.size === 0 ? list : params.map(([name = ''], at) => named.get(name) ?? list[at] ?? NOTHING);
}

/** Full name of the called function, such as `os.system`, or `.name` of an unknown object. */
function pathOf(reading: Reading, { value, name, owner }: Ref, { list }: Arguments): string {
  if (value.path !== undefined && (owner === null || owner.path !== undefined)) {
    // `obj.send(:name, …)` in Ruby.
    return /(?:^|\.)(?:public_|__)?send(?:__)?$/.test(value.path) && list[0] && /^\w+$/.test(list[0].text)
      ? list[0].text
      : value.path;
  }
  if (name !== '' && owner !== null) return `.${name}`;
  const isName = reading.language.arrows && /^\w+$/.test(value.text);
  return isName ? value.text : name;
}

function ownFunction({ functions }: Reading, { value, owner, name }: Ref, path: string) {
  if (value.imported || owner?.imported || owner?.thing) return undefined;
  return functions.get(name === '' ? path : name);
}

/** `f.call(null, x)`, `f.apply(null, [x])`, `send(:f, x)`, `array_map('f', list)`. */
function passed(reading: Reading, callee: Ref, path: string, args: Arguments): Value | null {
  const { owner, name } = callee;
  const [first, ...rest] = args.list;
  const isFunction =
    owner !== null &&
    (owner.body !== undefined || (owner.path !== undefined && actionOf(reading, owner.path) !== undefined));
  if (isFunction && /^(?:call|apply|bind)$/.test(name)) {
    const list =
      name === 'apply' ? (rest[0]?.items ?? rest) : reading.language.blocks === 'end' ? args.list : rest;
    return invoke(
      reading,
      { value: owner, owner: null, place: null, name: owner.path ?? '' },
      { list, named: args.named },
    );
  }
  if (/(?:^|\.)(?:public_|__)?send(?:__)?$/.test(callee.value.path ?? '') && path !== callee.value.path)
    return outside(reading, { value: { ...NOTHING, path }, owner: null, place: null, name: path }, path, {
      list: rest,
      named: args.named,
    });
  if (
    /^(?:array_map|array_walk|call_user_func|call_user_func_array)$/.test(path) &&
    first &&
    /^\w+$/.test(first.text)
  ) {
    const given = path.startsWith('array')
      ? rest.slice(0, 1).map(elementOf)
      : path.endsWith('array')
        ? (rest[0]?.items ?? rest)
        : rest;
    return invoke(
      reading,
      { value: { ...NOTHING, path: first.text }, owner: null, place: null, name: first.text },
      { list: given, named: new Map() },
    );
  }
  return null;
}

/** Built-ins of the language without side effects. */
function builtin(reading: Reading, path: string, owner: Value | null, args: Arguments): Value | null {
  const [first, second] = args.list;
  if (LOADS.test(path) && first && /^[@\w./:-]+$/.test(first.text))
    return pathValue(reading, moduleName(first.text), true);
  if (path === 'getattr' && first && second && /^\w+$/.test(second.text))
    return memberOf(reading, first, null, second.text);
  if (/^(?:globals|locals)$/.test(path)) return { ...NOTHING, path: 'globalThis' };
  if (path === 'vars' && first) return first;
  if (ASKS_VARIABLE.test(path) && first) return environmentValue(reading, first.text);
  if (ALL_VARIABLES.test(path) && args.list.length === 0)
    return known(reading.call.walk.mark({ kind: 'environment' }));
  if (ASKS_HOME.test(path) && args.list.length === 0) return known('~');
  if (MAKES_FOLDER.test(path)) return known(NEW_FOLDER);
  if (
    /(?:^|\.)(?:compile|StringIO|BytesIO|memoryview|Buffer\.from|Script)$/.test(path) &&
    first &&
    args.list.length < 6 &&
    !/^re\./.test(path)
  ) {
    const made = computed(path, owner, args);
    if (made !== null) return made;
    if (!/Script$|re\.compile/.test(path)) return first;
  }
  return null;
}

/** Calls that only compute a value from others. */
function made(reading: Reading, path: string, owner: Value | null, args: Arguments): Value | null {
  if (owner?.thing || actionOf(reading, path) !== undefined) return null;
  if (args.list.some(({ body }) => body)) return null;
  const value = computed(path, owner, args);
  if (value?.decoded) spend(reading, DECODING);
  return value;
}

const DECODING = 50;

/** Calls of functions that the program does not define. */
function outside(reading: Reading, callee: Ref, path: string, args: Arguments): Value {
  const { owner, value } = callee;
  const name =
    value.path === undefined && callee.name !== '' ? callee.name : path.slice(path.lastIndexOf('.') + 1);
  const sent = args.list.find((one) => one.thing?.operation)?.thing;
  const thing = (owner?.thing ?? value.thing)?.with(name, args) ?? sent;
  const action = actionOf(reading, path);
  const isGeneric = path.startsWith('.') && thing !== undefined && action !== 'sql';
  const asked = askFrom(reading, callee, path, args);
  if (asked?.link) connected(reading, callee, asked);
  const done =
    action === undefined || isGeneric || asked !== null ? asked : act(reading, action, callee, path, args);
  talk(reading, owner, args);
  const result =
    listing(path, owner, args) ??
    done ??
    madeFrom(...(owner ? [owner] : []), ...args.list, ...args.named.values());
  const back = callbacks(reading, callee, result, args);
  if (thing) return { ...result, thing: operate(reading, thing, args) };
  return back ?? result;
}

/** `s.connect(address)` connects the socket itself. */
function connected({ names }: Reading, { place, name }: Ref, link: Value): void {
  const owner = place?.endsWith(`.${name}`) ? nameOf(place.slice(0, -name.length - 1)) : null;
  if (owner !== null && names.has(owner)) names.set(owner, link);
}

export function actionOf({ language: { calls } }: Reading, name: string): Action | undefined {
  if (name === '`') return 'shell';
  const last = lastPart(name, name.length);
  if (last === 0) return calls[name];
  const part = name.slice(last);
  return (
    calls[name] ?? calls[`${name.slice(lastPart(name, last - 1), last - 1)}.${part}`] ?? calls[`.${part}`]
  );
}

/** Start of the last part of a name. Doesn't split, because it runs for each member of a long chain. */
function lastPart(name: string, end: number): number {
  for (let at = end; at > 0; at -= 1) {
    const sign = name[at - 1];
    if (sign === '.' || sign === '/') return at;
  }
  return 0;
}

/** Calls functions among the arguments with the values that the call works on, as far as known. */
function callbacks(
  reading: Reading,
  { owner, name }: Ref,
  result: Value,
  { list, named }: Arguments,
): Value | null {
  const given = [...list, ...named.values()].flatMap((value) => [value, ...(value.fields?.values() ?? [])]);
  const functions = given.filter(
    ({ body, path }) =>
      body !== undefined || (path !== undefined && PASSED.has(actionOf(reading, path) ?? 'read')),
  );
  if (functions.length === 0) return null;
  const others = list.filter((value) => !functions.includes(value));
  const isOwner =
    owner !== null && (owner.path === undefined || owner.imported === true) && owner !== NOTHING;
  const source = isOwner && (name === 'then' || owner.path === undefined) ? owner : (others[0] ?? result);
  const items = itemsOf(source);
  let last: Value | null = null;
  for (const callee of functions) {
    const ref: Ref = { value: callee, owner: null, place: null, name: callee.path ?? '' };
    const isEach =
      items !== undefined &&
      items.length > 0 &&
      items.length < MOST_ITEMS &&
      /^(?:map|flatMap|collect|forEach|each|filter|select|find|some|every|each_with_index)$/.test(name);
    if (isEach) {
      const values = items.map((item) => invoke(reading, ref, { list: [item], named: new Map() }));
      last = /^(?:map|flatMap|collect)$/.test(name) ? listOf(values) : source;
      continue;
    }
    const value = name === 'then' ? source : fitting(result, source);
    last = invoke(reading, ref, {
      list: callee.body ? callee.body.params.map(() => value) : [value],
      named: new Map(),
    });
  }
  return name === 'then' || /^(?:map|collect)$/.test(name) || owner?.items ? last : null;
}

const MOST_ITEMS = 200;
/** Actions that call functions passed by name. */
const PASSED: ReadonlySet<Action> = new Set<Action>([
  'eval',
  'shell',
  'argv',
  'delete',
  'delete-tree',
  'sql',
]);

function fitting(result: Value, source: Value): Value {
  const element = elementOf(source);
  if (element.thing || (element.marks === '' && element !== NOTHING)) return element;
  return result.marks === '' ? element : result;
}

/** Judges what a chain of calls has requested by its end. */
export function settle(reading: Reading, value: Value): Value {
  if (!value.thing?.removal) return value;
  judge(reading, value.thing);
  return { ...value, thing: value.thing.done() };
}
