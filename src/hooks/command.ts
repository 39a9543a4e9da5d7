import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookRun } from '../agents/dialect.ts';
import { basisOf } from './asked.ts';
import type { PlacedEntry } from './config-file.ts';
import type { CommandEntry } from './config-schema.ts';
import type { Hook } from './hook.ts';
import { runProcess } from './process.ts';
import { inEveryWay, meaningOf, type Showing, type Speaker } from './translate.ts';

/** A script of somebody else's, in the dialect that it was written in. */
export function commandHook(
  placed: PlacedEntry,
  entry: CommandEntry,
  all: ReadonlyMap<string, Speaker>,
): Hook {
  const { hook, concerns, ways } = basisOf(placed, all);
  const speaker = all.get(entry.dialect);
  if (!speaker) throw new Error(`there is no dialect "${entry.dialect}"`);
  return {
    ...hook,
    kind: 'command',
    concerns,
    run: (event, { budgetMs }) => {
      const deadline = Date.now() + budgetMs;
      return inEveryWay(ways(event), async (way) => {
        const run = await runEntry(entry, speaker, way, event.cwd, deadline - Date.now());
        return meaningOf(event, speaker, way, run);
      });
    },
  };
}

async function runEntry(
  entry: CommandEntry,
  speaker: Speaker,
  { presented }: Showing,
  cwd: string | null,
  budgetMs: number,
): Promise<HookRun> {
  const env = { ...process.env, ...presented.env, ...entry.env };
  const [program, ...args] = entry.args
    ? ([entry.command, ...entry.args] as const)
    : speaker.dialect.shell(entry.command, env);
  const call = { program, args, cwd, stdin: `${JSON.stringify(presented.payload)}\n`, budgetMs };
  if (presented.envFile === null) return await runProcess({ ...call, env });
  const folder = await mkdtemp(join(tmpdir(), 'hookline-env-'));
  const file = join(folder, 'env.sh');
  try {
    await writeFile(file, '', { mode: 0o600 });
    const run = await runProcess({ ...call, env: { ...env, [presented.envFile]: file } });
    return { ...run, envFile: await readFile(file, 'utf8') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
