import { stopsAll } from '../../../doors/zero.ts';
import { codeServices, countsAs } from '../../../knowledge/load.ts';
import type { CodeService } from '../../../knowledge/services.ts';
import { isLike } from '../../../knowledge/wildcard.ts';
import { once } from '../../../platform/bounded.ts';
import { hasUnknown } from '../../placeholders.ts';
import type { Arguments } from './brackets.ts';
import { plainOf, type Value } from './value.ts';

/** A removal that a chain of calls requests. Later calls may still narrow it. */
interface Removal {
  readonly name: string;
  readonly words: readonly string[];
}

/** An operation under its name on the service's command line, with its arguments. */
export interface Operation {
  readonly group: string;
  readonly name: string;
  readonly fields: ReadonlyMap<string, Value>;
}

/** A resource of a service, as far as the program names it: `boto3.client('rds')`, `db.orders`. */
export class Thing {
  readonly service: CodeService;
  /** Names of the members on the way, with their arguments. */
  readonly names: readonly string[];
  /** Texts that say where the service is. */
  readonly places: readonly string[];
  /** True if some of that is unknown. */
  readonly isVague: boolean;
  /** True if a condition selects a part of it. */
  readonly isLimited: boolean;
  readonly removal: Removal | null;
  /** For services with a command line: the group of subcommands. */
  readonly group: string | null;
  readonly operation: Operation | null;
  /** True for the module itself. Arguments of its functions say where the service is, not which part is meant. */
  readonly isModule: boolean;

  constructor(service: CodeService, fields: Partial<Omit<Thing, 'service' | 'with' | 'done'>> = {}) {
    this.service = service;
    this.names = fields.names ?? [];
    this.places = fields.places ?? [];
    this.isVague = fields.isVague ?? false;
    this.isLimited = fields.isLimited ?? false;
    this.removal = fields.removal ?? null;
    this.group = fields.group ?? null;
    this.operation = fields.operation ?? null;
    this.isModule = fields.isModule ?? false;
  }

  /** A part of it, or the result of one of its methods. */
  with(name: string, args: Arguments | null): Thing {
    const { service } = this;
    if (args === null) return new Thing(service, { ...this, names: [...this.names, name].slice(-MAX_NAMES) });
    const words = wordsIn(name);
    const group = this.groupFrom(name, args);
    // A command object does nothing until it is sent.
    const isRemoval = removes(service, name, words) || stops(name, args);
    const removal = !isCommand(name) && isRemoval ? { name, words } : null;
    const operation = group === null && words.length > 1 ? this.operationFrom(name, args) : null;
    const looks = countsAs('look', words[0] ?? '');
    const given = textsIn(args);
    return new Thing(service, {
      ...this,
      names: [
        ...this.names,
        ...(looks ? words.slice(1) : removal === null && isCondition(args) ? [] : [name]),
      ].slice(-MAX_NAMES),
      places: [...this.places, ...given].slice(-MAX_PLACES),
      isVague: this.isVague || [...args.list, ...args.named.values()].some(isVagueValue),
      isLimited:
        this.isLimited ||
        (removal === null
          ? !this.isModule && (looks || isCondition(args)) && !ALL_BUT.test(name) && limits(args, false)
          : limits(args, true)),
      isModule: false,
      removal: removal ?? this.removal,
      group: group ?? this.group,
      operation,
    });
  }

  /** A copy whose removal was already judged. */
  done(): Thing {
    return this.removal === null ? this : new Thing(this.service, { ...this, removal: null });
  }

  private groupFrom(name: string, { list }: Arguments): string | null {
    const { program } = this.service;
    const [first] = list;
    if (!program) return null;
    const isClient = this.isModule && /^[A-Z]/.test(name) && !isCommand(name);
    const given = program.client.includes(name)
      ? first?.text
      : isClient
        ? name.replace(/Client$/, '').toLowerCase()
        : undefined;
    return given === undefined || !/^[\w-]+$/.test(given) ? null : (program.groups[given] ?? given);
  }

  private operationFrom(name: string, { list, named }: Arguments): Operation | null {
    const { group } = this;
    if (group === null) return null;
    const [first] = list;
    return { group, name: kebab(name.replace(/Command$/, '')), fields: first?.fields ?? named };
  }
}

/** `DeleteBucketCommand`: an operation that is sent later. */
export const isCommand = (name: string): boolean => /^[A-Z]\w*Command$/.test(name);

const MAX_NAMES = 8;
const MAX_PLACES = 16;
const LONGEST = 200;

/** The words of a name: `deleteDBInstance` has delete, db and instance. */
export function wordsIn(name: string): readonly string[] {
  return name
    .slice(0, LONGEST)
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

const kebab = (name: string): string => wordsIn(name).join('-');

/** True if a method name contains a word that means removal. */
function removes(service: CodeService, name: string, words: readonly string[]): boolean {
  if (countsAs('look', words[0] ?? '')) return false;
  if (service.methods.includes(name)) return true;
  if (words.some((word) => countsAs('method', word))) return true;
  const isBig = words.some(
    (word) => countsAs('noun-big', word.replace(/s$/, '')) || countsAs('noun-big', word),
  );
  return words.some((word) => countsAs('method-big', word)) && isBig;
}

/** It says which of it is not meant. */
const ALL_BUT = /^(?:exclude|neq|not|whereNot|where_not|reject|except|ne|isNot|is_not)$/;

/** Nothing of it runs any more: its count is set to zero. */
function stops(name: string, { list, named }: Arguments): boolean {
  const verb = wordsIn(name).join('_');
  if (!/(?:^|_)(?:scale|patch|replace|update|set|modify|resize)(?:_|$)/.test(verb)) return false;
  const given = [
    ...list.map((value) => plainOf(value)),
    Object.fromEntries([...named].map(([key, value]) => [key, plainOf(value)])),
  ];
  return stopsAll(verb, { given });
}

function isEmpty(value: Value): boolean {
  if (value.fields) return !value.open && [...value.fields.values()].every(isEmpty);
  if (value.items) return value.items.every(isEmpty);
  return (
    value.text === '' ||
    // Any of them.
    /^(?:\*|%|_all)$/.test(value.text) ||
    value.path === 'None' ||
    value.path === 'null' ||
    value.path === 'undefined' ||
    value.path === 'nil'
  );
}

/** Options say how, not which: `force=True`, `{ cascade: true }`. */
const isOption = ({ path = '', body, imported }: Value): boolean =>
  /^(?:True|False|true|false)$/.test(path) || body !== undefined || imported === true;

/** A table is selected by its model or name, a row by any other argument. */
function limits({ list, named }: Arguments, isRemoval: boolean): boolean {
  const given = [
    ...list.filter(({ thing }) => !thing || thing.isLimited || !isRemoval),
    ...[...named.values()].filter(({ thing }) => !thing),
  ];
  return given.some((value) => !isEmpty(value) && !value.body && !(isRemoval && isOption(value)));
}

/** More than a name: a condition, or an unknown value. */
function isCondition({ list, named }: Arguments): boolean {
  return (
    named.size > 0 ||
    list.length > 1 ||
    list.some(({ text, fields, items, body }) => fields || items || body || /[\s=<>]/.test(text))
  );
}

function textsIn({ list, named }: Arguments): readonly string[] {
  return [...list, ...named.values()]
    .flatMap(({ text, fields }) => (fields ? [...fields.values()].map((one) => one.text) : [text]))
    .filter((text) => !hasUnknown(text) && text.length < LONGEST);
}

const isVagueValue = ({ text, fields, items, body, path }: Value): boolean =>
  fields
    ? [...fields.values()].some(isVagueValue)
    : hasUnknown(text) &&
      !items &&
      !body &&
      !/^(?:None|null|undefined|True|False|true|false)$/.test(path ?? '');

interface Module {
  readonly pattern: string;
  readonly service: CodeService;
}

/** Modules by the first word of their names. */
const modules = once(() => {
  const byWord = new Map<string, Module[]>();
  for (const service of codeServices())
    for (const pattern of service.modules) {
      const word = firstWord(pattern);
      byWord.set(word, [...(byWord.get(word) ?? []), { pattern, service }]);
    }
  return byWord;
});
const firstWord = (path: string): string => /^@?[^./@]*/.exec(path)?.[0] ?? '';

/** The group of subcommands that a module's name stands for. */
export function groupOf({ program }: CodeService, path: string): string | null {
  const start = program?.['group-in'];
  if (start === undefined || !path.startsWith(start)) return null;
  const group = /^[\w-]*/.exec(path.slice(start.length))?.[0] ?? '';
  return program?.groups[group] ?? group;
}

/** The service that a module belongs to. */
export function serviceOf(path: string): CodeService | undefined {
  if (path.length > LONGEST) return undefined;
  return modules()
    .get(firstWord(path))
    ?.find(
      ({ pattern }) =>
        path === pattern ||
        isLike(path, `${pattern}.*`) ||
        isLike(path, `${pattern}/*`) ||
        (pattern.includes('*') && isLike(path, pattern)),
    )?.service;
}

const ownServices = once(() => codeServices().filter(({ own }) => own.length > 0));

/** The service that a module of the project wraps: `./src/db`, `app.models`. */
export function ownService(path: string): CodeService | undefined {
  const parts = path.split(/[./]/);
  return ownServices().find(({ own }) => own.some((name) => parts.includes(name)));
}
