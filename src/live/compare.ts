import { type Contract, contractOf, type Fields, type Payload } from '../sandbox/contract.ts';

/** How the payloads of one event differ from what was measured. */
export interface Difference {
  readonly kind: 'new event' | 'new field' | 'missing field' | 'other type';
  /** Empty for an event. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}

/** The differences between what a client sends and its contract, by native event; those without one have none. */
export function compareWith(
  contract: Contract,
  payloads: readonly Payload[],
): ReadonlyMap<string, readonly Difference[]> {
  const differences = new Map<string, Difference[]>();
  for (const [key, seen] of Object.entries(contractOf(payloads))) {
    const event = key.split(' ')[0] ?? key;
    const found = compareFields(fieldsFor(contract, key, event), seen, key in contract);
    const known = differences.get(event) ?? [];
    differences.set(event, [...known, ...found.filter((one) => !known.some((other) => isSame(one, other)))]);
  }
  return differences;
}

/** Of a tool that was not measured, at least what all calls have. */
function fieldsFor(contract: Contract, key: string, event: string): Fields | null {
  const exact = contract[key];
  if (exact) return exact;
  const ofEvent = Object.entries(contract).filter(([name]) => name.split(' ')[0] === event);
  return ofEvent.length === 0 ? null : shared(ofEvent.map(([, fields]) => fields));
}

/** The outermost fields that all of them have; a type is any that one of them has. */
function shared(all: readonly Fields[]): Fields {
  const outer = (fields: Fields) => Object.entries(fields).filter(([path]) => !/[.[]/.test(path));
  const names = new Set(all.flatMap((fields) => outer(fields).map(([path]) => nameOf(path))));
  return Object.fromEntries(
    [...names].map((name) => {
      const types = all.flatMap((fields) => (fields[name] ?? fields[`${name}?`] ?? '').split('|'));
      const always = all.every((fields) => name in fields);
      return [always ? name : `${name}?`, [...new Set(types)].filter(Boolean).sort().join('|')];
    }),
  );
}

/** @param deep false where only the outermost fields are known */
export function compareFields(contract: Fields | null, seen: Fields, deep = true): readonly Difference[] {
  if (contract === null)
    return [{ kind: 'new event', path: '', expected: 'an event that is known', seen: 'another one' }];
  const shown = Object.keys(seen).filter((path) => deep || !/[.[]/.test(path));
  const differences: Difference[] = [];
  for (const path of shown) {
    const name = nameOf(path);
    const expected = contract[name] ?? contract[`${name}?`];
    const types = seen[path] ?? '';
    if (expected === undefined) {
      if (isOutermost(name, contract))
        differences.push({ kind: 'new field', path: name, expected: 'no such field', seen: types });
    } else if (!isWithin(types, expected))
      differences.push({ kind: 'other type', path: name, expected, seen: types });
  }
  for (const [path, expected] of Object.entries(contract)) {
    const isMissing = !path.endsWith('?') && !(path in seen) && hasParent(path, seen);
    if (isMissing) differences.push({ kind: 'missing field', path, expected, seen: 'not there' });
  }
  return differences;
}

/**
 * A new object is one difference, not one for each of its fields. And an object of which no field was recorded is of
 * the model's making.
 */
function isOutermost(name: string, contract: Fields): boolean {
  const parent = parentOf(name);
  return parent === '' || Object.keys(contract).some((path) => parentOf(path) === parent);
}

/** What is not there has no fields, and that it is not there is another difference. */
function hasParent(path: string, seen: Fields): boolean {
  const parent = parentOf(path);
  if (parent === '') return true;
  const container = `${path.slice(0, path.lastIndexOf('.'))}.`;
  return Object.keys(seen).some((other) => other.startsWith(container));
}

function isWithin(types: string, expected: string): boolean {
  const known = expected.split('|');
  return types.split('|').every((type) => known.includes(type));
}

/** `a.b[].c` is in `a.b`. */
function parentOf(path: string): string {
  const at = path.lastIndexOf('.');
  return at === -1 ? '' : path.slice(0, at).replace(/(\[\])+$/, '');
}

function nameOf(path: string): string {
  return path.replace(/\?$/, '');
}

function isSame(a: Difference, b: Difference): boolean {
  return a.kind === b.kind && a.path === b.path && a.seen === b.seen;
}
