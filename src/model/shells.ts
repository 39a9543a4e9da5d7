/** Programs that run a JavaScript file. */
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

/** Programs that read command lines. Excludes PowerShell and cmd.exe, which have other languages. */
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

/** The name of any shell, for use in a pattern. */
export const ANY_SHELL: string = `(?:${SHELLS.join('|')})`;

const SHELL = new RegExp(`^(?:\\S*[/\\\\])?${ANY_SHELL}(?:\\.exe)?$`);

/** True for a shell, by name or path. */
export function isShell(program: string): boolean {
  return SHELL.test(program);
}
