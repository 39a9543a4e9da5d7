import { wordsFor } from '../../knowledge/load.ts';
import { isLike } from '../../knowledge/wildcard.ts';
import type { SimpleCommand } from '../analysis.ts';
import { fileOf, isAddress, isHere, readAddress } from './addresses.ts';
import { containerIs } from './containers.ts';
import {
  areHere,
  containerOf,
  type InLine,
  isKnown,
  like,
  type Naming,
  placeOfTool,
  valuesOf,
} from './line.ts';
import { isPassing, isTestEnvironment } from './place-names.ts';
import { reaching } from './reach.ts';

const URLS = /^(?:\w+_)?(?:DATABASE|DB|POSTGRES|MYSQL|DATASOURCE|DBSTRING)_?(?:URL|URI|DSN)?$/;
const HOSTS = /^(?:PGHOST|PGHOSTADDR|(?:\w+_)?(?:DB|DATABASE|MYSQL|POSTGRES|PG)_HOST(?:NAME)?)$/;
const DATABASES =
  /^(?:DB_DATABASE|DB_NAME|DATABASE_NAME|PGDATABASE|MYSQL_DATABASE|POSTGRES_DB|TEST_DATABASE)$/;

/** Value of an option of an undescribed program: `--env test`, `--env=test`. */
function written({ argv }: SimpleCommand, names: readonly string[]): (string | null)[] {
  return argv.flatMap(({ text, template }, at) => {
    const [, name = template, value] = /^(--?[\w-]+)=(.*)$/s.exec(template) ?? [];
    if (!names.includes(name)) return [];
    return value === undefined ? [argv[at + 1]?.text ?? null] : [text === null ? null : value];
  });
}

/** `rails db:drop RAILS_ENV=test`. */
function assignedIn({ argv }: SimpleCommand, names: Naming): (string | null)[] {
  return argv.flatMap(({ text, template }) => {
    const [key = '', ...value] = template.split('=');
    return value.length > 0 && names.test(key) ? [text === null ? null : value.join('=')] : [];
  });
}

/** Files that set variables for one command: `dotenv -e .env.test -- prisma migrate reset`. */
function environmentFiles({ command, index, line }: InLine): readonly string[] {
  if (!command.via.some((name) => /^(?:dotenv|env-cmd)$/.test(name))) return [];
  const around = line.commands
    .slice(0, index)
    .findLast(({ tool }) => /^(?:dotenv|env-cmd)$/.test(tool ?? ''));
  const texts = around?.argv.flatMap(({ text }) => text ?? ['?']) ?? ['?'];
  const files = texts.filter((text) => /(?:^|\/)\.env|^\?$/.test(text));
  return files.length > 0 ? files : ['?'];
}

/** Verbs that reach further than their environment. */
const FOR_ALL = /:all$/;

/**
 * Names of the database and the environment of a migration. All of them must be disposable. Null if it may be on
 * another machine, or if there is no name.
 */
export function migratedBy(given: InLine): readonly string[] | null {
  const { command, line } = given;
  const place = placeOfTool(command);
  if (place?.is !== 'migration' || !isKnown(command)) return null;
  // Without such a variable, only the database address counts.
  const named = place.variables?.environment ?? [];
  const variables = like(named);
  if (command.argv.some(({ template }) => FOR_ALL.test(template))) return null;
  const around = containerOf(given);
  if (around === null || (around && containerIs(around) === 'elsewhere')) return null;
  if (!areHere(line, HOSTS)) return null;
  const files = environmentFiles(given);
  const urls = [...written(command, wordsFor('address-option')), ...assignedIn(command, URLS)];
  const environments = [
    ...assignedIn(command, variables),
    ...(named.length === 0 ? [] : written(command, wordsFor('environment-option'))),
  ];
  const databases = assignedIn(command, DATABASES);
  const own = urls.length + files.length + environments.length + databases.length;
  const isSaid = [URLS, DATABASES, variables].some((names) => reaching(given, names).length > 0);
  if (own === 0 && !isSaid) return null;
  // Variables of another command can't make this one disposable. But if they aren't disposable, this command may be
  // meant as well.
  return allNames([
    ...files,
    ...[...urls, ...valuesOf(line, URLS)].map(databaseAt),
    ...[...databases, ...valuesOf(line, DATABASES)],
    ...[...environments, ...valuesOf(line, variables)].map(environment),
  ]);
}

const environment = (value: string | null): string | null =>
  value !== null && isTestEnvironment(value) ? value : null;

function allNames(names: readonly (string | null)[]): readonly string[] | null {
  const known = names.flatMap((name) => name ?? []);
  return known.length > 0 && known.length === names.length ? known : null;
}

/** The database behind a local address. */
function databaseAt(url: string | null): string | null {
  if (url === null) return null;
  const file = fileOf(url);
  if (file !== null) return file.startsWith('tmp/') ? 'tmp' : (file.split('/').at(-1) ?? null);
  if (!isAddress(url)) return isPassing(url) ? url : null;
  const address = readAddress(url);
  return address !== null && isHere(address.host) ? address.name : null;
}

/** Cloud emulators, which hold only test data. */
export function emulatorOf(given: InLine): boolean {
  const { command } = given;
  const place = placeOfTool(command);
  if (place?.is !== 'emulator') return false;
  const { on, variables, emulator } = place;
  if (on !== undefined && !on.some((verb) => isLike(command.argv[1]?.text ?? '', verb))) return false;
  if (emulator?.with !== undefined) {
    const [option, value] = emulator.with;
    return written(command, [option]).join() === value;
  }
  return variables?.host === undefined || isSetHere(given, like(ofService(command, variables.host)));
}

/** Variables whose `*` stands for the service of the command: `s3api` becomes S3, `cloud-run` CLOUD_RUN. */
export function ofService({ sub }: SimpleCommand, names: readonly string[]): readonly string[] {
  const [first = ''] = sub;
  if (!/^[a-z][\w-]*$/.test(first)) return names.filter((name) => !name.includes('*'));
  const service = first.replace(/api$/, '').replace(/-/g, '_').toUpperCase();
  return names.map((name) => name.replace('*', service));
}

function isSetHere(given: InLine, names: Naming): boolean {
  const values = reaching(given, names);
  return values.length > 0 && values.every((value) => value !== null && isHere(hostIn(value)));
}

/** The host in `localhost:8080` and `http://localhost:8080/`. */
export function hostIn(text: string): string {
  return /^(?:[a-z]+:\/\/)?(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?\/?$/i.exec(text)?.[1] ?? '?';
}
