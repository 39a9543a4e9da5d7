import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** The client itself cannot be run without its servers; the executor of its hooks can, and is in its SDK. */
const EXECUTOR = fileURLToPath(new URL('./executor.js', import.meta.url));

/** Where the SDK is; null where it could not be installed. */
export function bundle(): string | null {
  return inject('programs').cursor ?? null;
}

type Step = readonly [event: string, fields: Readonly<Record<string, unknown>>];

/** What the executor makes of the hooks of each step, in their order: null means no decision. */
export async function execute(
  { run, project, env }: Sandbox,
  steps: readonly Step[],
): Promise<readonly unknown[]> {
  const scratch = await mkdtemp(join(env.TMPDIR ?? '', 'executor-'));
  const base = { conversation_id: 'conversation', generation_id: 'generation', model: 'scripted' };
  const input = JSON.stringify({
    root: project,
    steps: steps.map(([event, fields]) => [event, { ...base, ...fields }]),
  });
  const finished = await run(process.execPath, [EXECUTOR, bundle() ?? '', scratch], { input });
  if (finished.code !== 0) throw new Error(describeFinished(finished));
  return JSON.parse(finished.stdout);
}

export function shell(command: string): Step {
  return [
    'preToolUse',
    { tool_name: 'Shell', tool_input: { command, cwd: '' }, tool_use_id: `use ${command}`, cwd: '' },
  ];
}
