import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../src/agents/_registry.ts';
import { testHook } from '../src/live/hook/test-hook.ts';
import { scratchFolder } from './support/scratch.ts';

// The hooks in docs/hooks.md do what the page says of them, whichever agent makes the call.

const page = readFileSync(new URL('../docs/hooks.md', import.meta.url), 'utf8');
const [guard = '', migration = '', list = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block,
);

function fileWith(text: string): string {
  const file = join(scratchFolder(), 'hook.ts');
  writeFileSync(file, text);
  return file;
}

const agents = [...AGENTS.keys()];

test.each(agents)('the first hook denies a call of %s and no other', async (agent) => {
  const call = (command: string) => ({ agent, tool: 'Bash', input: { command } });
  const answers = await testHook(fileWith(guard), [call('terraform destroy'), call('terraform plan')]);
  expect(answers.map(({ decision }) => decision)).toEqual(['deny', 'none']);
});

test.each(agents)('the second hook denies a second migration of %s', async (agent) => {
  const write = (path: string) => ({ agent, tool: 'Write', input: { file_path: path, content: 'x' } });
  const answers = await testHook(
    fileWith(migration),
    ['migrations/1.sql', 'src/a.ts', 'migrations/1.sql', 'migrations/2.sql'].map((name) =>
      write(`/home/dev/shop/${name}`),
    ),
  );
  expect(answers.map(({ decision }) => decision)).toEqual(['none', 'none', 'none', 'deny']);
});

test.each(agents)('the list of hooks adds context and asks %s once for a summary', async (agent) => {
  const cwd = '/home/dev/shop';
  const answers = await testHook(
    fileWith(list),
    (['turn_start', 'turn_end', 'turn_end'] as const).map((type) => ({ agent, type, cwd })),
  );
  expect(answers.map(({ decision, context }) => context ?? decision)).toEqual([
    `This is ${agent} in ${cwd}.`,
    'deny',
    'none',
  ]);
});
