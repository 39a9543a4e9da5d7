import { type ParseArgsConfig, parseArgs } from 'node:util';
import { HooklineError } from '../model/errors.ts';
import { paint } from './paint.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly description: string;
  /** What stands for the value in the help. */
  readonly value?: string;
}

export type OptionValues<O extends Readonly<Record<string, Option>>> = {
  readonly [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : string;
};

export interface CommandSpec<O extends Readonly<Record<string, Option>>> {
  readonly name: string;
  readonly summary: string;
  /** Words after the name, as in `<agent>` or `[id]`. */
  readonly words?: string;
  readonly options: O;
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The exit code, 0 if it has nothing to say. */
  run(options: OptionValues<O>, words: readonly string[]): Promise<number | undefined>;
}

/** A command of `hookline`, ready to be given its arguments. */
export interface Command {
  readonly summary: string;
  run(args: readonly string[]): Promise<number>;
}

const HELP: Option = { type: 'boolean', short: 'h', description: 'Show this help.' };

/** Unknown options are errors: a misspelt `--dry-run` must not be taken for a wish to write. */
export function defineCommand<const O extends Readonly<Record<string, Option>>>(
  spec: CommandSpec<O>,
): Command {
  const options = { ...spec.options, help: HELP };
  return {
    summary: spec.summary,
    async run(args) {
      const { values, positionals } = parse(args, options, spec.name);
      if (values.help) {
        console.log(help(spec));
        return 0;
      }
      const most = spec.words?.split(' ').length ?? 0;
      if (positionals.length > most && !spec.words?.includes('…')) {
        throw usage(spec.name, `"${positionals[most]}" is one word too many.`);
      }
      return (await spec.run(values as OptionValues<O>, positionals)) ?? 0;
    },
  };
}

/** The error for a command that was called the wrong way. */
export function usage(command: string, message: string): HooklineError {
  return new HooklineError('USAGE', message, { hint: `See \`hookline ${command} --help\`.` });
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse(args: readonly string[], options: Readonly<Record<string, Option>>, name: string): Parsed {
  const config: ParseArgsConfig['options'] = {};
  for (const [key, { type, short }] of Object.entries(options))
    config[key] = short ? { type, short } : { type };
  try {
    return parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(name, error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

function help(spec: CommandSpec<Readonly<Record<string, Option>>>): string {
  const options = Object.entries({ ...spec.options, help: HELP }).map(([key, option]) => [
    `${option.short ? `-${option.short}, ` : '    '}--${key}${option.value ? ` ${option.value}` : ''}`,
    option.description,
  ]);
  return [
    spec.summary,
    '',
    `${paint.bold('Usage')}  hookline ${[spec.name, spec.words, '[options]'].filter(Boolean).join(' ')}`,
    '',
    paint.bold('Options'),
    ...columns(options),
    '',
    paint.bold('Examples'),
    ...columns(spec.examples),
  ].join('\n');
}

/** Rows of two cells, the second aligned. */
export function columns(rows: readonly (readonly (string | undefined)[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length));
  return rows.map(([first = '', second = '']) => `  ${first.padEnd(width)}  ${paint.dim(second)}`);
}
