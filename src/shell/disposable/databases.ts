import type { Place } from '../../knowledge/place.ts';
import type { Effect, EffectOf, SimpleCommand } from '../analysis.ts';
import { isAddress, isHere, leavesContainer, readAddress } from './addresses.ts';
import { containerIs, isStartedPort } from './containers.ts';
import {
  areHere,
  containerOf,
  effectsOf,
  type InLine,
  isKnown,
  like,
  operandsOf,
  optionOf,
  placeOfTool,
  valuesOf,
} from './line.ts';
import { isPassing } from './place-names.ts';
import { reaching } from './reach.ts';

/** The server and database of a client. */
interface Connection {
  /** Names that identify the database; empty for the default one. */
  readonly names: readonly string[];
  /** True if all its data is removed with the container. */
  readonly isPassing: boolean;
  readonly reachesOthers: boolean;
}

/** Where a database client is connected; null if that may be another machine. */
function connectionOf(given: InLine): Connection | null {
  const { command, line } = given;
  const client = placeOfTool(command);
  if (client?.is !== 'database' || !isKnown(command) || isTold(client, given)) return null;
  const around = containerOf(given);
  const place = around === undefined ? 'here' : around === null ? 'elsewhere' : containerIs(around);
  if (place === 'elsewhere') return null;
  const { 'reaches-others': reachesOthers = false, variables = {} } = client;
  if (client.operands === 'file') {
    const [file] = operandsOf(command) ?? [];
    return file === undefined
      ? null
      : { names: [fileName(file)], isPassing: place === 'passing', reachesOthers };
  }
  const hosts = (client.host ?? []).flatMap((option) => optionOf(command, option) ?? []);
  const words = wordsOf(client, given);
  if (words === null || !areHere(line, like(variables.host))) return null;
  const addresses = [...hosts, ...words].filter(isAddress).map(readAddress);
  const plain = hosts.filter((host) => !isAddress(host)).map((host) => hostOf(host));
  const all = [...plain, ...addresses.map((address) => address?.host ?? null)];
  if (!all.every((host) => host !== null && isHere(host))) return null;
  const named = [...words.filter((word) => !isAddress(word)), ...addresses.flatMap((one) => one?.name ?? [])];
  const port = addresses[0]?.port ?? optionOf(command, ...(client.port ?? [])) ?? null;
  const leaves = all.some(leavesContainer);
  const isOwn =
    (place === 'passing' && !leaves) || isStartedPort(given, port) || hasPassingSocket(client, command);
  return { names: named, isPassing: isOwn, reachesOthers };
}

/** True if the name of the socket marks a test server. */
function hasPassingSocket({ socket = [] }: Place, command: SimpleCommand): boolean {
  const path = optionOf(command, ...socket);
  return path != null && isPassing(path.split('/').at(-1) ?? '');
}

/** True if a settings file, whose content is unknown, chooses the database. */
function isTold({ told = [], variables = {} }: Place, { command, line }: InLine): boolean {
  return optionOf(command, ...told) !== undefined || valuesOf(line, like(variables.told)).length > 0;
}

/** `localhost:9042`, `localhost,1433`, `localhost\\SQLEXPRESS`, `(localdb)\\x` and a dot. */
function hostOf(text: string): string | null {
  if (/^(?:\.|\(local(?:db)?\))(?:\\[\w$]+)?$/i.test(text)) return 'localhost';
  return /^(\[[\da-f:.]+\]|::1|[\w./-]+)(?:[:,]\d+|\\[\w$]+)?$/i.exec(text)?.[1] ?? null;
}

/** The words that name a database or its host; null if a word is ambiguous. */
function wordsOf(
  { name = [], operands: role, variables = {} }: Place,
  one: InLine,
): readonly string[] | null {
  const { command, line } = one;
  const operands = operandsOf(command);
  if (operands === null) return null;
  const given = name.flatMap((option) => optionOf(command, option) ?? []);
  const [first] = operands;
  const names = like(variables.name);
  const set = valuesOf(line, names);
  if (set.includes(null)) return null;
  const isReached = reaching(one, names).length > 0;
  const fromLine =
    isReached && given.length === 0 && first === undefined ? set.flatMap((value) => value ?? []) : [];
  switch (role) {
    case 'name':
      return [...given, ...(first === undefined ? [] : [first]), ...fromLine];
    case 'address':
      return first === undefined ? given : [...given, mongoAddress(first)];
    case 'host':
      return [...given, ...operands.slice(0, 1).map((host) => `host=${host}`)];
    case 'verb':
      return [...given, ...operands.slice(1)];
    default:
      return [...given, ...fromLine];
  }
}

/** `localhost/x` is an address without scheme. */
function mongoAddress(text: string): string {
  return text.includes('://') || /^[\w-]+$/.test(text) ? text : `mongodb://${text}`;
}

/** Includes the directory if it is in the project. */
function fileName(path: string): string {
  if (path === ':memory:' || (path.startsWith('/tmp/') && !path.includes('..'))) return 'tmp';
  return path
    .split('/')
    .slice(path.startsWith('/') ? -1 : -2)
    .join('/');
}

type Resource = EffectOf<'resource'>;

const isResource = (effect: Effect): effect is Resource => effect.kind === 'resource';

/** Accounts and other resources that all databases share: a user named `ci` is a real account. */
const OF_USERS = /^drop (?:user|role|owned|tablespace|publication)$/;
/** Statements that affect the server, not the current database. */
const OF_THE_SERVER = /^drop (?:database|keyspace)$/;

/** Selects the disposable resources that a database client deletes; null if nothing is known about them. */
export function passingInDatabase(given: InLine): ((effect: Resource) => boolean) | null {
  const connection = connectionOf(given);
  if (connection === null) return null;
  const moves = effectsOf(given).filter((effect) => isResource(effect) && effect.action === 'use');
  if (!moves.every((effect) => isResource(effect) && isNamedPassing(effect.target))) return null;
  if (connection.isPassing) return () => true;
  const isInside = connection.names.length > 0 && connection.names.every(isPassing);
  return ({ action, target }) => {
    if (OF_USERS.test(action)) return false;
    if (OF_THE_SERVER.test(action) || isSchemaOfServer(action, given.command)) return isNamedPassing(target);
    // An unreadable list may name a table of any database.
    if (target === null && connection.reachesOthers) return false;
    const others = connection.reachesOthers
      ? (target ?? '').split(', ').filter((name) => name.includes('.'))
      : [];
    if (others.length > 0) return others.every((name) => isPassing(name.split('.')[0] ?? ''));
    if (isInside) return !/^flushall$|^shutdown/i.test(action);
    return ofTables(action) && isNamedPassing(target);
  };
}

/** In MySQL and related databases, a schema is a database. */
function isSchemaOfServer(action: string, command: SimpleCommand): boolean {
  return action === 'drop schema' && placeOfTool(command)?.schemas !== 'inside';
}

/** Statements for tables, whose own name may mark them as disposable. */
const ofTables = (action: string): boolean => /^(?:drop (?:table|view|schema)|truncate)$/.test(action);

function isNamedPassing(target: string | null): boolean {
  return target?.split(', ').every(isPassing) ?? false;
}
