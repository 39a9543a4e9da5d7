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
