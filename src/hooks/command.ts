import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookRun } from '../agents/kit/dialect.ts';
import { readRegularText } from '../platform/bounded-files.ts';
import type { PlacedEntry } from './config-file.ts';
import type { CommandEntry } from './config-schema.ts';
import { hookEntryOf } from './entry.ts';
import type { Hook } from './hook.ts';
import { runProcess } from './process.ts';
import { type DialectOwner, inEveryWay, meaningOf, type Presentation } from './translate.ts';

/** A script written for an agent, in that agent's dialect. */
export function commandHook(
  placed: PlacedEntry,
  entry: CommandEntry,
  all: ReadonlyMap<string, DialectOwner>,
): Hook {
  const { hook, concerns, presentations } = hookEntryOf(placed, all);
  const owner = all.get(entry.dialect);
  if (!owner) throw new Error(`unknown dialect "${entry.dialect}"`);
  return {
    ...hook,
    kind: 'command',
    concerns,
    run: (event, { budgetMs }) => {
      const deadline = Date.now() + budgetMs;
      return inEveryWay(presentations(event), async (way) => {
        const run = await runEntry(entry, owner, way, event.cwd, deadline - Date.now());
        return meaningOf(event, owner, way, run);
      });
    },
  };
}

async function runEntry(
  entry: CommandEntry,
  owner: DialectOwner,
  { presented }: Presentation,
  cwd: string | null,
  budgetMs: number,
): Promise<HookRun> {
  const env = { ...process.env, ...presented.env, ...entry.env };
  const [program, ...args] = entry.args
    ? ([entry.command, ...entry.args] as const)
    : owner.dialect.shell(entry.command, env);
  const call = { program, args, cwd, stdin: `${JSON.stringify(presented.payload)}\n`, budgetMs };
  if (presented.envFile === null) return await runProcess({ ...call, env });
  const folder = await mkdtemp(join(tmpdir(), 'hookline-env-'));
  const file = join(folder, 'env.sh');
  try {
    await writeFile(file, '', { mode: 0o600 });
    const run = await runProcess({ ...call, env: { ...env, [presented.envFile]: file } });
    return { ...run, envFile: readRegularText(file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
