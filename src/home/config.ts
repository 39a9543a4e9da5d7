import { dirname, isAbsolute } from 'node:path';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { HooklineError } from '../model/errors.ts';
import {
  type NtfySettings,
  ntfySettings,
  type SlackSettings,
  slackSettings,
  type TelegramSettings,
  telegramSettings,
} from '../notify/settings.ts';
import { readOwnFile } from '../platform/bounded-files.ts';
import { writeUserFile } from '../platform/files.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { sha256 } from '../platform/sha256.ts';
import { DURABILITIES, type Durability } from '../store/database/durability.ts';
import { problemText, readYaml } from './config-problems.ts';
import { editorLine } from './editor-line.ts';

export interface Config {
  /** What a failure of Hookline means for a guarded call: `open` lets the agent's own flow go on, `closed` denies. */
  readonly failure: 'open' | 'closed';
  /** What a recorded call survives before it is answered: the end of the daemon, or a power cut as well. */
  readonly durability: Durability;
  readonly http: {
    /** Taken if free, else any free port. */
    readonly port: number;
    /** Admits dispatcher scripts that know no token, on `/hooks/*` only. */
    readonly hooksWithoutToken: boolean;
  };
  /** The listener for paired devices. */
  readonly phone: {
    /** Where it listens; null while it is switched off. */
    readonly address: string | null;
    readonly port: number;
    /** A name that leads to the address, where devices use one. */
    readonly name: string | null;
    /** Files of a certificate and its key; without them the home has its own. */
    readonly cert: string | null;
    readonly key: string | null;
  };
  readonly approvals: {
    /** When calls wait for a person: while a surface is open, always, or never. */
    readonly hold: 'surface' | 'always' | 'never';
    readonly waitSeconds: number;
    /** What no answer comes to: the agent's own flow, or a denial. */
    readonly onExpiry: 'none' | 'deny';
  };
  readonly notify: {
    readonly on: readonly ('approval' | 'turn' | 'failure')[];
    /** By the system's own notifications. */
    readonly desktop: boolean;
    /** By a sequence to the terminal that the daemon runs in. */
    readonly terminal: boolean;
    readonly sound: boolean;
    /** An address that takes Slack's format. */
    readonly webhook: string | null;
    /** As in 22:00-07:00. */
    readonly quiet: string | null;
    /** Channels on which one can also answer. */
    readonly ntfy: NtfySettings | null;
    readonly telegram: TelegramSettings | null;
    readonly slack: SlackSettings | null;
    /** Where "Open" leads; null for the dashboard on this machine. */
    readonly link: string | null;
  };
  /** Packs of rules: on, off, or only observing. */
  readonly packs: Readonly<Record<string, 'on' | 'off' | 'observe'>>;
  /** Ids of rules that are switched off. */
  readonly disabledRules: readonly string[];
  /** The checkout of Hookline that agents may build and change, though it is the program that runs. */
  readonly develop: string | null;
  readonly access: {
    /** Terminal programs, beside the known ones: names, files, or folders with a slash at the end. */
    readonly terminals: readonly string[];
  };
  /** What is kept of the past; null is all of it. */
  readonly retention: { readonly days: number | null; readonly megabytes: number | null };
  /** What a new session is given of the project's past; nothing until it is turned on. */
  readonly memory: { readonly on: boolean; readonly tokens: number };
  /** Settings that the file calls by a former name, by that name. */
  readonly former: readonly string[];
}

/** What settings were called before, and are called now. Files that people have written keep working. */
export const FORMER_SETTINGS = { rulesOff: 'disabledRules' } as const;

const HOST_NAME = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;

export const configSchema = v.strictObject({
  failure: v.optional(v.picklist(['open', 'closed']), 'open'),
  durability: v.optional(v.picklist(DURABILITIES, 'must be process or power'), 'process'),
  http: v.optional(
    v.strictObject({
      port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535)), 8765),
      hooksWithoutToken: v.optional(v.boolean(), false),
    }),
    {},
  ),
  phone: v.optional(
    v.strictObject({
      address: v.optional(v.nullable(v.pipe(v.string(), v.ip('must be an IP address'))), null),
      port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535)), 8766),
      name: v.optional(v.nullable(v.pipe(v.string(), v.regex(HOST_NAME, 'must be a host name'))), null),
      cert: v.optional(v.nullable(v.string()), null),
      key: v.optional(v.nullable(v.string()), null),
    }),
    {},
  ),
  approvals: v.optional(
    v.strictObject({
      hold: v.optional(
        v.picklist(['surface', 'always', 'never'], 'must be surface, always or never'),
        'surface',
      ),
      waitSeconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(86_000)), 600),
      onExpiry: v.optional(v.picklist(['none', 'deny'], 'must be none or deny'), 'none'),
    }),
    {},
  ),
  notify: v.optional(
    v.strictObject({
      on: v.optional(v.array(v.picklist(['approval', 'turn', 'failure'])), ['approval', 'failure']),
      desktop: v.optional(v.boolean(), false),
      terminal: v.optional(v.boolean(), false),
      sound: v.optional(v.boolean(), false),
      webhook: v.optional(v.nullable(v.pipe(v.string(), v.url('must be an address'))), null),
      quiet: v.optional(
        v.nullable(v.pipe(v.string(), v.regex(/^\d{1,2}:\d{2}-\d{1,2}:\d{2}$/, 'must be as in 22:00-07:00'))),
        null,
      ),
      ntfy: v.optional(v.nullable(ntfySettings), null),
      telegram: v.optional(v.nullable(telegramSettings), null),
      slack: v.optional(v.nullable(slackSettings), null),
      link: v.optional(v.nullable(v.pipe(v.string(), v.url('must be an address'))), null),
    }),
    {},
  ),
  packs: v.optional(
    v.record(v.string(), v.picklist(['on', 'off', 'observe'], 'must be on, off or observe')),
    {},
  ),
  disabledRules: v.optional(v.array(v.string())),
  rulesOff: v.optional(v.pipe(v.array(v.string()), v.description('The former name of disabledRules.'))),
  develop: v.optional(v.nullable(v.pipe(v.string(), v.check(isAbsolute, 'must be an absolute path'))), null),
  access: v.optional(v.strictObject({ terminals: v.optional(v.array(v.string()), []) }), {}),
  retention: v.optional(
    v.strictObject({
      days: v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null),
      megabytes: v.optional(v.nullable(v.pipe(v.number(), v.minValue(1))), null),
    }),
    {},
  ),
  memory: v.optional(
    v.strictObject({
      on: v.optional(v.boolean(), false),
      tokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(8000)), 800),
    }),
    {},
  ),
});

const schema = v.pipe(
  configSchema,
  v.forward(
    v.check(
      ({ rulesOff, disabledRules }) => rulesOff === undefined || disabledRules === undefined,
      `is now ${FORMER_SETTINGS.rulesOff}; keep only one of them`,
    ),
    ['rulesOff'],
  ),
  v.transform(({ rulesOff, disabledRules, ...settings }): Config => {
    const former = rulesOff === undefined ? [] : ['rulesOff'];
    return { ...settings, disabledRules: disabledRules ?? rulesOff ?? [], former };
  }),
);

/** The user's settings; a missing file is all defaults. */
export function readConfig(path: string): Config {
  return parseConfig(readOwnFile(path) ?? '', path);
}

/** The same of a text; `path` is where it is from. */
export function parseConfig(text: string, path: string): Config {
  const read = readYaml(text, schema);
  if ('value' in read) return read.value;
  throw new HooklineError('CONFIG_INVALID', problemText(path, read.problems), {
    hint: 'Fix the file, or delete it to restore the defaults. See docs/configuration.md for the settings.',
  });
}

/** What tells one set of settings from another, by key. Not the values: an address may have a secret in it. */
export function configMarks(config: Config): Readonly<Record<string, string>> {
  const marks = Object.entries(config).map(([key, value]) => {
    const mark = sha256(JSON.stringify(value)).slice(0, 16);
    return [key, mark] as const;
  });
  return Object.fromEntries(marks);
}

/** Changes one setting and leaves everything else in the file, comments too, as it is. */
export function writeSetting(path: string, keys: readonly string[], value: unknown): void {
  const before = readOwnFile(path);
  const document = parseDocument(before ?? '');
  document.setIn(keys, value);
  makeFolder(dirname(path), 0o700);
  writeUserFile(path, `${before === null ? editorLine('config') : ''}${document.toString()}`, 0o600);
  // Whatever was wrong with the file before is reported now, not by the next command.
  readConfig(path);
}
