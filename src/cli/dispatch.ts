import { homePaths } from '../home/paths.ts';
import { fileUnusable } from '../home/unusable.ts';
import { HooklineError } from '../model/errors.ts';
import { nearestName } from '../model/suggestion.ts';
import { folded } from '../terminal/fold.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { paint } from './output/paint.ts';
import { overview } from './overview.ts';
import { typedHere } from './program.ts';
import { PARTS } from './summaries.ts';

/** Runs the command in these arguments and returns its exit code, also for errors, which it reports. */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(args);
  } catch (error) {
    return reportError(error, isJson(args));
  }
}

async function runCommand(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = unfolded(args);
  if (name === '--help' || name === '-h' || name === 'help') {
    const [word] = unfolded(rest);
    const asked = word === undefined ? null : await commandOf(word);
    if (asked) return asked.run(['--help']);
    console.log(overview());
    return 0;
  }
  const command = await commandOf(name === '' ? await commandAlone() : name);
  if (!command) {
    throw new HooklineError('USAGE', `Unknown command "${name}".`, { hint: await nearest(name) });
  }
  return command.run(rest);
}

/** A script that reads JSON gets its errors as JSON too. Arguments after `--` are for another program. */
function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/** Without arguments it shows the status and the next step. A first-time user gets the guided setup. */
async function commandAlone(): Promise<'welcome' | 'status'> {
  const { isFirstRun } = await import('./first-run.ts');
  return isFirstRun() ? 'welcome' : 'status';
}

/** `approvals approve 3fa9` is `approve 3fa9`, because parts of a command also work on their own. */
function unfolded(args: readonly string[]): readonly string[] {
  const [name = '', part = ''] = args;
  return Object.hasOwn(PARTS, name) && PARTS[name]?.includes(part) ? args.slice(1) : args;
}

async function commandOf(name: string): Promise<Command | null> {
  if (Object.hasOwn(COMMANDS, name)) return (await COMMANDS[name]?.[1]())?.default ?? null;
  return (await agentCommands()).get(name) ?? null;
}

/** Some agents have a command named after them. */
async function agentCommands(): Promise<ReadonlyMap<string, Command>> {
  return (await import('./exec/run-agent.ts')).agentCommands();
}

/** `hookline effect` is probably `hookline rules effect`: subcommand names are suggested before similar spellings. */
async function nearest(name: string): Promise<string> {
  const deeper = await withWord(name);
  if (deeper.length > 0)
    return `Did you mean ${deeper.map((one) => `\`hookline ${one} ${name}\``).join(' or ')}?`;
  const names = Object.keys(COMMANDS);
  const close =
    names.find((known) => known.startsWith(name) || name.startsWith(known)) ?? nearestName(name, names);
  return close ? `Did you mean \`hookline ${close}\`?` : 'See `hookline --help`.';
}

/** The commands that take this word first. They are loaded for this check only. */
async function withWord(word: string): Promise<readonly string[]> {
  const { firstWords } = await import('./command.ts');
  const all = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, [, load]]) => [name, await load()] as const),
  );
  return all.filter(([, command]) => firstWords(command.default).includes(word)).map(([name]) => name);
}

/** The only place that turns an error into text and an exit code. Never 2, which agents read as a denial. */
export function reportError(thrown: unknown, asJson = false): number {
  const error = isFolderGone(thrown)
    ? new HooklineError('NOT_FOUND', 'The current directory no longer exists.', {
        hint: 'Run `cd` to change to another directory, and try again.',
      })
    : (fileUnusable(thrown, homePaths().root) ?? thrown);
  if (error instanceof HooklineError && asJson) {
    const { code, message, hint } = error;
    const shown = { code, message: typedHere(message), hint: hint && typedHere(hint) };
    console.error(JSON.stringify({ error: shown }));
  } else if (error instanceof HooklineError) {
    console.error(folded(`${paint.red('hookline:')} ${typedHere(error.message)}`));
    if (error.hint) console.error(folded(typedHere(error.hint)));
  } else {
    console.error(`${paint.red('hookline:')} Unexpected error:`);
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    console.error('Please report it and what you did before it happened.');
  }
  return 1;
}

function isFolderGone(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd';
}
