import { isDeepStrictEqual } from 'node:util';

/**
 * The fields of an event's payloads: for each path, the JSON types seen there. `tool.id` is a field of an object,
 * `edits[].path` one of the objects in a list; a path that ends with `?` is not in all of them.
 */
export type Fields = Readonly<Record<string, string>>;

/** The fields of a client's payloads by native event, and by event and tool. */
export type Contract = Readonly<Record<string, Fields>>;

/** A payload and its decoded event. */
export interface Payload {
  readonly nativeEvent: string;
  /** The client's own name of the tool; null without a tool. */
  readonly tool: string | null;
  /** The arguments of the tool; undefined without a tool. */
  readonly input: unknown;
  readonly native: unknown;
}

/** The contract that these payloads show. */
export function contractOf(payloads: readonly Payload[]): Contract {
  const opaque = argumentKeys(payloads);
  const groups = new Map<string, Payload[]>();
  for (const payload of payloads) {
    const key = contractKey(payload);
    groups.set(key, [...(groups.get(key) ?? []), payload]);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, group]) => [key, fieldsOf(group, opaque)]));
}

function contractKey({ nativeEvent, tool }: Pick<Payload, 'nativeEvent' | 'tool'>): string {
  return tool === null ? nativeEvent : `${nativeEvent} ${tool}`;
}

type Seen = Map<string, { count: number; types: Set<string> }>;

/** Observed fields of one object, of all objects in a list, or of the same object in all payloads. */
interface Container {
  count: number;
  readonly fields: Seen;
}

/**
 * Paths of tool arguments, which the model writes differently each time, so they don't belong to the client's format.
 */
function argumentKeys(payloads: readonly Payload[]): ReadonlySet<string> {
  const isAlways = new Map<string, boolean>();
  for (const { native, input } of payloads) {
    // An empty argument list equals too many other values.
    if (Object.keys(Object(input)).length === 0) continue;
    // Only some tools' results repeat the arguments.
    for (const [key, value] of entriesWithin(native))
      isAlways.set(key, isAlways.get(key) !== false && isDeepStrictEqual(value, input));
  }
  return new Set([...isAlways].filter(([, always]) => always).map(([key]) => key));
}

function entriesWithin(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.entries(value);
  return [...own, ...Object.values(value).flatMap(entriesWithin)];
}

function fieldsOf(payloads: readonly Payload[], opaque: ReadonlySet<string>): Fields {
  const containers = new Map<string, Container>();
  for (const { native } of payloads) look(native, '', opaque, containers);
  const paths: [string, string][] = [];
  for (const [prefix, { count, fields }] of containers)
    for (const [name, { count: times, types }] of fields)
      paths.push([`${prefix}${name}${times < count ? '?' : ''}`, [...types].sort().join('|')]);
  return Object.fromEntries(paths.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function look(value: unknown, path: string, opaque: ReadonlySet<string>, into: Map<string, Container>): void {
  if (Array.isArray(value)) {
    for (const each of value) look(each, `${path}[]`, opaque, into);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const prefix = path === '' ? '' : `${path}.`;
  const container = into.get(prefix) ?? { count: 0, fields: new Map() };
  into.set(prefix, container);
  container.count += 1;
  for (const [name, each] of Object.entries(value)) {
    const field = container.fields.get(name) ?? { count: 0, types: new Set<string>() };
    container.fields.set(name, field);
    field.count += 1;
    field.types.add(typeName(each));
    if (!opaque.has(name)) look(each, `${prefix}${name}`, opaque, into);
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
