import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { HooklineError } from '../../../model/errors.ts';
import type { Task } from './exec.ts';

const EXEC = {
  model: { type: 'string', short: 'm' },
  sandbox: { type: 'string', short: 's' },
  cd: { type: 'string', short: 'C' },
  config: { type: 'string', short: 'c', multiple: true },
  enable: { type: 'string', multiple: true },
  disable: { type: 'string', multiple: true },
} as const;

const JOIN = { 'token-file': { type: 'string' }, 'token-env': { type: 'string' } } as const;

interface ExecArguments {
  readonly task: Task;
  /** For the server itself. */
  readonly config: readonly string[];
}

export function parseExec(args: readonly string[], cwd: string): ExecArguments {
  const { values, positionals } = parsed(() =>
    parseArgs({ args: [...args], options: EXEC, allowPositionals: true, strict: true }),
  );
  const prompt = positionals.join(' ').trim();
  if (prompt === '') throw usageError('exec needs a prompt.');
  return {
    task: {
      prompt,
      cwd: resolve(cwd, values.cd ?? '.'),
      model: values.model ?? null,
      sandbox: values.sandbox ?? null,
    },
    config: [
      ...(values.config ?? []).flatMap((pair) => ['-c', pair]),
      ...(values.enable ?? []).flatMap((feature) => ['--enable', feature]),
      ...(values.disable ?? []).flatMap((feature) => ['--disable', feature]),
    ],
  };
}

interface JoinArguments {
  readonly url: string | null;
  readonly tokenFile: string | null;
  readonly tokenEnv: string | null;
}

export function parseJoin(args: readonly string[]): JoinArguments {
  const { values, positionals } = parsed(() =>
    parseArgs({ args: [...args], options: JOIN, allowPositionals: true, strict: true }),
  );
  const [url = null, ...more] = positionals;
  if (more.length > 0) throw usageError(`Unexpected argument "${more[0]}".`);
  if (url !== null && !/^(?:wss?|unix):\/\/./.test(url)) {
    throw usageError(`"${url}" is not a URL; use one that begins with ws://, wss:// or unix:///.`);
  }
  return { url, tokenFile: values['token-file'] ?? null, tokenEnv: values['token-env'] ?? null };
}

const SETTINGS = new Set(['-c', '--config', '--enable', '--disable']);

/** Of the terminal client's options those that are settings: the server needs them as well. */
export function configFlags(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    const value = args[at + 1];
    if (SETTINGS.has(arg) && value !== undefined) return [arg, value];
    return /^--(?:config|enable|disable)=/.test(arg) ? [arg] : [];
  });
}

/** Options of 0.166.0 whose value is the next word. */
const TAKES_VALUE = new Set([
  ...SETTINGS,
  ...['-i', '--image', '-m', '--model', '--local-provider', '-p', '--profile', '-s', '--sandbox'],
  ...['-C', '--cd', '--add-dir', '-a', '--ask-for-approval', '--remote-auth-token-env'],
]);

/** Its subcommands that talk to no model, or are clients of another server. Any other first word is a prompt. */
const OTHER_COMMANDS = new Set([
  ...['agents', 'review', 'login', 'logout', 'mcp', 'plugin', 'app-server', 'remote-control', 'completion'],
  ...['update', 'doctor', 'sandbox', 'debug', 'apply', 'a', 'queue', 'archive', 'delete', 'unarchive'],
  ...['migrate-rollouts', 'migrate-nfs-db', 'cloud', 'exec-server', 'features', 'help'],
]);

/** Do these arguments open the terminal client, on a server that is ours to choose? */
export function opensTerminal(args: readonly string[]): boolean {
  if (args.some((arg) => arg === '--version' || arg === '-V' || /^--remote(?:=|$)/.test(arg))) return false;
  const word = args.find((arg, at) => !arg.startsWith('-') && !TAKES_VALUE.has(args[at - 1] ?? ''));
  return word === undefined || !OTHER_COMMANDS.has(word);
}

export function usageError(message: string): HooklineError {
  return new HooklineError('USAGE', message, { hint: 'See `hookline codex --help`.' });
}

function parsed<T extends ReturnType<typeof parseArgs<ParseArgsConfig>>>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw usageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}
