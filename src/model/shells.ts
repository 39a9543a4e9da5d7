/** Programs that run a script of JavaScript which they are given. */
export const SCRIPT_RUNNERS: readonly string[] = [
  'node',
  'nodejs',
  'bun',
  'deno',
  'tsx',
  'ts-node',
  'electron',
  'npx',
  'npm',
  'pnpm',
  'yarn',
];

/** Programs that read command lines. PowerShell and cmd.exe are not among them: they have languages of their own. */
export const SHELLS: readonly string[] = [
  'sh',
  'bash',
  'zsh',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'oksh',
  'loksh',
  'yash',
  'posh',
  'hush',
  'rbash',
  'fish',
  'csh',
  'tcsh',
];

/** The name of any shell, as a part of a pattern. */
export const ANY_SHELL: string = `(?:${SHELLS.join('|')})`;

const SHELL = new RegExp(`^(?:\\S*[/\\\\])?${ANY_SHELL}(?:\\.exe)?$`);

/** Whether a program is a shell, by its name or its path. */
export function isShell(program: string): boolean {
  return SHELL.test(program);
}
