import { relative } from 'node:path';
import { findCommand } from '../agents/kit/detect-command.ts';

/** How this program is called here: by its name where that is on PATH, as after an installation, else by its file. */
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

/** A text of ours in which commands in backquotes are as they have to be typed here. */
export function typedHere(text: string, program: string = programName()): string {
  return program === 'hookline' ? text : text.replaceAll('`hookline ', `\`${program} `);
}
