import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findCommand } from '../agents/setup/detect-command.ts';
import { PACKAGE_ROOT } from '../platform/package-root.ts';
import { shellWord } from '../platform/shell-words.ts';

/** How to run this program: by its name if that is on PATH, otherwise by its file. */
export function programName(
  env: Readonly<Record<string, string | undefined>> = process.env,
  script: string = process.argv[1] ?? '',
  cwd: string = process.cwd(),
): string {
  if (script === '' || findCommand('hookline', env) !== null) return 'hookline';
  const path = relative(cwd, script);
  const word = path.startsWith('..') ? script : path;
  return `node ${/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)}`;
}

/** Rewrites commands in backquotes, and pages of `docs/`, to the form in which they must be typed here. */
export function typedHere(text: string, program: string = programName()): string {
  const commands = program === 'hookline' ? text : text.replaceAll('`hookline ', `\`${program} `);
  return commands.replace(/(?<![\w/])docs\/[\w-]+\.md\b/g, documentHere);
}

/** The page in this package, unless the same words name it from here. */
function documentHere(page: string): string {
  const path = join(PACKAGE_ROOT, page);
  return existsSync(path) && resolve(page) !== path ? path : page;
}

/** The program and arguments that run this program with the current home. */
export function ownCommand(command: string): readonly string[] {
  const program = [process.execPath, resolve(process.argv[1] ?? 'hookline'), command];
  const { HOOKLINE_HOME } = process.env;
  return HOOKLINE_HOME ? ['env', `HOOKLINE_HOME=${resolve(HOOKLINE_HOME)}`, ...program] : program;
}

/** The same as one line for a shell. */
export function ownShellCommand(command: string): string {
  return ownCommand(command).map(shellWord).join(' ');
}
