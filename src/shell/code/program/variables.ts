import { SECRET_NAME } from '../../expand/parameter.ts';
import { hasUnknown } from '../../placeholders.ts';
import type { Reading } from './cursor.ts';
import { groupOf, ownService, serviceOf, Thing } from './thing.ts';
import { concat, either, known, listOf, NOTHING, textOf, type Value } from './value.ts';

/** The environment variables, as languages name them. */
const ENVIRONMENT =
  /^(?:process\.env|os\.environ|environ|ENV|%?ENV|\$ENV|\$_ENV|\$_SERVER|Bun\.env|import\.meta\.env|env\.vars|env\.vars_os)$/;
/** Global objects whose members are also global names. */
const GLOBAL =
  /^(?:globalThis|window|global|self|builtins|__builtins__|__builtin__|Kernel|CORE|CORE\.GLOBAL|main)$/;

/** The value of a name. */
export function variable(reading: Reading, name: string): Value {
  const own = reading.names.get(nameOf(name));
  if (own !== undefined) return own;
  const body = reading.functions.get(name);
  if (body !== undefined) return { ...NOTHING, body };
  return pathValue(reading, name);
}

/** In Perl, `@x`, `$x[0]` and `%x` are treated as one variable. */
export const nameOf = (name: string): string =>
  name.startsWith('@') || name.startsWith('%') ? `$${name.slice(1)}` : name;

/** The value of a name that the program does not define: an environment variable, or a service from an import. */
export function pathValue(reading: Reading, path: string, imported = false): Value {
  const key = imported ? `${path} imported` : path;
  const before = reading.paths.get(key);
  const value = before ?? newPathValue(reading, path, imported);
  if (before === undefined) reading.paths.set(key, value);
  return value;
}

function newPathValue(reading: Reading, path: string, imported: boolean): Value {
  if (ENVIRONMENT.test(path)) return { ...known(reading.call.walk.mark({ kind: 'environment' })), path };
  const thing = thingAt(reading, path, imported);
  return { ...NOTHING, path, ...(imported && { imported }), ...(thing && { thing }) };
}

/** What an import, a library constant, or a model in a framework shell stands for. */
function thingAt({ framework }: Reading, path: string, imported: boolean): Thing | null {
  const isConstant = /^[A-Z]\w*(?:\.|$)/.test(path);
  const service = imported || isConstant ? serviceOf(path) : undefined;
  if (service !== undefined) return new Thing(service, { isModule: true, group: groupOf(service, path) });
  const own = imported || (isConstant && framework) ? ownService(imported ? path : 'models') : undefined;
  return own === undefined ? null : new Thing(own);
}

/** A member by its name. */
export function memberOf(reading: Reading, owner: Value, place: string | null, name: string): Value {
  const own = place === null ? undefined : reading.names.get(`${nameOf(place)}.${name}`);
  if (own !== undefined) return own;
  const field = owner.fields?.get(name);
  if (field !== undefined) return field;
  if (owner.path !== undefined) {
    if (ENVIRONMENT.test(owner.path)) return /^[a-z]/.test(name) ? owner : environmentValue(reading, name);
    if (GLOBAL.test(owner.path) || /\.__dict__$/.test(owner.path)) return pathValue(reading, name);
    if (owner.path.length > LONGEST_PATH) return NOTHING;
    const path = `${owner.path.replace(/\.(?:default|__dict__)$/, '')}.${name}`;
    const next = owner.marks === '' ? pathValue(reading, path, owner.imported === true) : { ...owner, path };
    return owner.thing ? { ...next, thing: owner.thing.with(name, null) } : next;
  }
  const { thing } = owner;
  if (thing)
    return { text: owner.text, marks: owner.marks, decoded: owner.decoded, thing: thing.with(name, null) };
  if (owner.items || owner.fields || owner.any) return textOf(owner.text, owner);
  return hasUnknown(owner.text) ? { text: owner.text, marks: owner.marks, decoded: owner.decoded } : NOTHING;
}

/** The value of one name in a destructuring. */
export function partOf(reading: Reading, value: Value, name: string, place: number): Value | undefined {
  if (value.items) return value.items[place] ?? NOTHING;
  return value.fields || value.path !== undefined || value.thing
    ? memberOf(reading, value, null, name)
    : undefined;
}

const LONGEST_PATH = 200;
const HOME = /^(?:HOME|USERPROFILE)$/;
const MAX_VALUE = 2_000;

/** An environment variable by name, as a shell would see it. */
export function environmentValue({ call }: Reading, name: string): Value {
  const value = call.state.variables.get(name)?.value;
  if (value !== undefined && value.length < MAX_VALUE && !hasUnknown(value)) return known(value);
  if (HOME.test(name)) return known('~');
  return SECRET_NAME.test(name) ? known(call.walk.mark({ kind: 'variable', of: name })) : NOTHING;
}

/** `=`, `+=` and similar. In a condition or a loop, the old value remains possible. */
export function assign(reading: Reading, place: string, sign: string, before: Value, value: Value): Value {
  const next =
    sign.length > 1 && sign !== ':=' && sign !== '<-' ? changed(reading, sign, before, value) : value;
  if (sign === '=' || sign === ':=') setName(reading, place, next);
  else reading.names.set(nameOf(place), next);
  return next;
}

function changed(reading: Reading, sign: string, before: Value, value: Value): Value {
  if (/^(?:\+=|\.=)$/.test(sign)) {
    const sum = concat(before.path === undefined ? before : known(''), value);
    // In a loop there may be more parts, in another order.
    return reading.loops && hasUnknown(value.text) ? textOf(sum.text, before, value) : sum;
  }
  return /^(?:\|\|=|\?\?=)$/.test(sign) ? either(before, value) : textOf(NOTHING.text, before, value);
}

/** Sets a name. A value from another branch remains possible. */
export function setName(reading: Reading, name: string, value: Value): void {
  const key = nameOf(name);
  const before = reading.names.get(key);
  const replaces = before === undefined || reading.blocks.get(key) === reading.block;
  const next = value.items && reading.growing.has(key) ? listOf([...value.items, NOTHING]) : value;
  reading.names.set(key, replaces ? next : either(before, next));
  reading.blocks.set(key, reading.block);
}
