import { type ParseArgsConfig, parseArgs } from 'node:util';
import { homePaths } from '../home/paths.ts';
import { HooklineError, messageOf } from '../model/errors.ts';
import type { Action } from '../model/people/access.ts';
import { nearestName } from '../model/suggestion.ts';
import { folded } from '../terminal/fold.ts';
import { columns } from './output/columns.ts';
import { paint } from './output/paint.ts';
import { fullName, PARTS, SUMMARIES } from './summaries.ts';

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly description: string;
  /** Placeholder shown in the help, such as FILE. */
  readonly value?: string;
  /** The subcommands that take it, as in `join and leave`; the help lists it under them. Without it, all do. */
  readonly of?: string;
  /** More subcommands that take it, if its description says what it means there. */
  readonly also?: string;
}

type Rest = Pick<Option, 'short' | 'of' | 'also'>;
export interface Flag extends Option {
  readonly type: 'boolean';
}
export interface Value extends Option {
  readonly type: 'string';
}

/** An option without a value. */
export function flag(description: string, rest: Rest = {}): Flag {
  return { type: 'boolean', description, ...rest };
}

/** An option with a value; `shown` is its placeholder in the help. */
export function value(shown: string, description: string, rest: Rest = {}): Value {
  return { type: 'string', value: shown, description, ...rest };
}

type OptionValues<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string;
};

interface CommandSpec<O extends Readonly<Record<string, Option>>> {
  readonly name: string;
  readonly summary: string;
  /** Arguments after the name, such as `<agent>` or `[id]`. */
  readonly words?: string;
  /** What each subcommand does, if there are many: the help lists them. */
  readonly commands?: readonly (readonly [words: string, meaning: string])[];
  /** What the last argument is, if it is a text that must be quoted; `-` reads it from stdin. */
  readonly text?: string;
  readonly options: O;
  /** Arguments after `--` are for another program. */
  readonly passes?: string;
  /** At least one is required. */
  readonly mustPass?: true;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** Exit codes that mean more than "failed". */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
  /** Scripts with a key may run it too. */
  readonly asScript?: true;
  /**
   * For commands that decide something: the action that only a person may take with these arguments. Null if they only
   * read, or if the daemon checks it.
   */
  access?(options: OptionValues<O>, words: readonly string[]): Action | null;
  /**
   * Returns the exit code; 0 if undefined.
   *
   * @param by the person or script that `access` admitted; empty if no access was needed
   * @param passed arguments after `--`, if the command passes them on
   */
  run(
    options: OptionValues<O>,
    words: readonly string[],
    by: string,
    passed: readonly string[],
  ): Promise<number | undefined>;
}

/** A command of `hookline`, ready to be given its arguments. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** As in the help. */
  readonly words: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Command lines with what they are for. */
  readonly examples: readonly (readonly [line: string, description: string])[];
  run(args: readonly string[]): Promise<number>;
}

/** The values that its first argument can have, if there are only a few. */
export function firstWords({ words }: Pick<Command, 'words'>): readonly string[] {
  const [first = ''] = words.replace(/[<>[\]]/g, '').split(' ');
  return first.includes('|') ? first.split('|') : [];
}

const AS_SCRIPT = 'as-script';
const KEY_VARIABLE = 'HOOKLINE_SCRIPT_KEY';
const BY_SCRIPT = flag(`Authenticate with the script key in ${KEY_VARIABLE}.`);
const HELP = flag('Show this help.', { short: 'h' });

/** Unknown options are errors, so that a misspelled `--dry-run` can't write. */
export function defineCommand<const O extends Readonly<Record<string, Option>>>(
  spec: CommandSpec<O>,
): Command {
  const options = { ...spec.options, ...(spec.asScript ? { [AS_SCRIPT]: BY_SCRIPT } : {}), help: HELP };
  return {
    name: spec.name,
    summary: spec.summary,
    words: spec.words ?? '',
    options,
    examples: spec.examples,
    async run(args) {
      const end = spec.passes === undefined ? -1 : args.indexOf('--');
      const own = end === -1 ? args : args.slice(0, end);
      const { values, positionals } = parse(own, options, spec);
      if (values.help) {
        const own = forFirstWord(spec, positionals[0]);
        console.log(help(own ?? spec, own === null ? partLines(spec.name) : []));
        return 0;
      }
      const most = spec.words?.split(' ').length ?? 0;
      if (positionals.length > most && !spec.words?.includes('…')) {
        const quoted = spec.text === undefined ? '' : `: put the ${spec.text} in quotes`;
        throw usage(spec.name, `Unexpected argument "${positionals[most]}"${quoted}.`);
      }
      const given = values as OptionValues<O>;
      const asScript = values[AS_SCRIPT] === true;
      try {
        const by = await assertAccess(spec.access?.(given, positionals) ?? null, asScript);
        return (await spec.run(given, positionals, by, end === -1 ? [] : args.slice(end + 1))) ?? 0;
      } catch (error) {
        throw spec.asScript && !asScript ? withForgottenKey(error) : error;
      }
    },
  };
}

async function assertAccess(action: Action | null, asScript: boolean): Promise<string> {
  if (asScript) {
    const { askAsScript } = await import('../client/request.ts');
    const key = process.env[KEY_VARIABLE];
    if (!key) {
      throw new HooklineError('USAGE', `--as-script needs a key in ${KEY_VARIABLE}.`, {
        hint: 'Run `hookline script-key create NAME` in a terminal to get one.',
      });
    }
    askAsScript(key);
  }
  if (action === null) return '';
  const { requireAccess } = await import('../client/require-access.ts');
  return requireAccess(homePaths(), action);
}

/** A key in the environment counts only with --as-script. */
function withForgottenKey(error: unknown): unknown {
  if (!(error instanceof HooklineError) || error.code !== 'NOT_A_PERSON' || !process.env[KEY_VARIABLE])
    return error;
  const hint = `${KEY_VARIABLE} is set, but --as-script is missing.`;
  return new HooklineError(error.code, error.message, { cause: error, hint });
}

/** The error for invalid arguments. */
export function usage(command: string, message: string): HooklineError {
  return new HooklineError('USAGE', message, { hint: `See \`hookline ${command} --help\`.` });
}

/** The error for a first word that the command doesn't have. */
export function unknownWord(command: string, word: string, known: readonly string[]): HooklineError {
  const meant = word === '' ? null : nearestName(word, known);
  const help = meant === null ? `Use one of ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return usage(command, `${word === '' ? 'Missing subcommand.' : `Unknown subcommand "${word}".`} ${help}`);
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse(
  args: readonly string[],
  options: Readonly<Record<string, Option>>,
  { name, text }: Pick<CommandSpec<Readonly<Record<string, Option>>>, 'name' | 'text'>,
): Parsed {
  const config: ParseArgsConfig['options'] = {};
  for (const [key, { type, short }] of Object.entries(options))
    config[key] = short ? { type, short } : { type };
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    if (text !== undefined && args.some((word) => /^-.*\s/s.test(word)))
      throw usage(
        name,
        `The ${text} starts with a dash and looks like an option. Start it with a word, or pass \`-\` to read it from stdin.`,
      );
    throw usage(name, `${badOption(messageOf(error), options)}${unquoted(args, text)}`);
  }
}

/** What Node says of an option, in the form of all other errors, with the option that was probably meant. */
function badOption(message: string, options: Readonly<Record<string, Option>>): string {
  const [first = ''] = message.split(/\. |\n/);
  const [, typed] = /^Unknown option '--([^']+)'/.exec(first) ?? [];
  const meant = typed === undefined ? null : nearestName(typed, Object.keys(options));
  const said = first.replace(/\.$/, '').replaceAll("'", '"');
  return `${said}.${meant === null ? '' : ` Did you mean --${meant}?`}`;
}

/** For a text in several words, one of which looks like an option. */
function unquoted(args: readonly string[], text: string | undefined): string {
  return text !== undefined && args[0]?.startsWith('-') === false && args.length > 1
    ? ` If it belongs to the ${text}, put the ${text} in quotes.`
    : '';
}

type AnySpec = CommandSpec<Readonly<Record<string, Option>>>;

/** The part of the spec that concerns one subcommand; null if none was given. */
function forFirstWord(spec: AnySpec, word: string | undefined): AnySpec | null {
  const { words = '' } = spec;
  if (word === undefined || !firstWords({ words }).includes(word)) return null;
  const concerns = ({ of = word, also = '' }: Option) => `${of} ${also}`.split(/[ ,]+/).includes(word);
  const examples = spec.examples.filter(([command]) => `${command} `.includes(` ${spec.name} ${word} `));
  const own = spec.commands?.filter(([one]) => one.split(' ')[0] === word);
  return {
    ...spec,
    ...(own ? { commands: own } : {}),
    words: [word, ...words.split(' ').slice(1)].join(' '),
    options: Object.fromEntries(Object.entries(spec.options).filter(([, option]) => concerns(option))),
    examples: examples.length > 0 ? examples : spec.examples,
  };
}

function help(spec: AnySpec, parts: readonly string[]): string {
  const words = spec.commands ? '[subcommand]' : spec.words;
  return [
    folded(spec.summary),
    '',
    folded(
      `${paint.bold('Usage')}  hookline ${[spec.name, words, '[options]', passed(spec)].filter(Boolean).join(' ')}`,
      7,
    ),
    ...parts,
    ...(spec.commands ? ['', paint.bold('Subcommands'), ...columns(spec.commands)] : []),
    ...optionLines({ ...spec.options, ...(spec.asScript ? { [AS_SCRIPT]: BY_SCRIPT } : {}), help: HELP }),
    ...(spec.exitCodes ? ['', paint.bold('Exit codes'), ...columns(spec.exitCodes)] : []),
    '',
    paint.bold('Examples'),
    ...columns(spec.examples),
  ].join('\n');
}

/** Options under the subcommands that take them, in the same columns; those for all of them come last. */
function optionLines(options: Readonly<Record<string, Option>>): readonly string[] {
  const isGeneral = ([, { of }]: readonly [string, Option]) => Number(of === undefined);
  const sorted = Object.entries(options).toSorted((one, other) => isGeneral(one) - isGeneral(other));
  const rows = sorted.map(([key, { short, value, description, of }]) => ({
    heading: of === undefined ? 'Options' : `Options of ${of}`,
    cells: [`${short ? `-${short}, ` : '    '}--${key}${value ? ` ${value}` : ''}`, description] as const,
  }));
  const width = Math.max(...rows.map(({ cells: [first] }) => first.length));
  return [...new Set(rows.map(({ heading }) => heading))].flatMap((heading) => {
    const below = rows.filter((row) => row.heading === heading).map(({ cells }) => cells);
    return ['', paint.bold(heading), ...columns(below, width)];
  });
}

function passed({ passes, mustPass }: Pick<CommandSpec<never>, 'passes' | 'mustPass'>): string | undefined {
  if (passes === undefined) return undefined;
  return mustPass ? `-- ${passes}` : `[-- ${passes}]`;
}

/** The command's subcommands by their short names; or, for one of them, a line with its full name. */
function partLines(name: string): readonly string[] {
  const parts = PARTS[name] ?? [];
  if (parts.length > 0) {
    const rows = parts.map((part) => [`hookline ${part}`, SUMMARIES[part]]);
    return ['', paint.bold('Subcommands'), ...columns(rows)];
  }
  return fullName(name) === name ? [] : [paint.dim(`       hookline ${fullName(name)} is the same.`)];
}
