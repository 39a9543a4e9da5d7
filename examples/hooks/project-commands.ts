import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, defineHook } from 'hookline';

const MANAGERS = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'package-lock.json': 'npm',
};
const SCRIPTS = ['build', 'test', 'check', 'lint', 'typecheck', 'format', 'fix'];

export default defineHook({
  on: 'session_start',
  run(event) {
    const folder = event.cwd ?? '.';
    const scripts = SCRIPTS.filter((name) => scriptsIn(folder).includes(name));
    if (scripts.length === 0) return;
    const manager =
      Object.entries(MANAGERS).find(([lockfile]) => existsSync(join(folder, lockfile)))?.[1] ?? 'npm';
    const commands = scripts.map((name) => `\`${manager} run ${name}\``).join(', ');
    return context(
      `This project is built and checked with ${commands}. Use these instead of calling tools directly.`,
    );
  },
});

function scriptsIn(folder: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.keys(scripts ?? {});
  } catch {
    return []; // No package.json, or one that is being written.
  }
}
