import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { AGENTS } from '../agents/_registry.ts';
import { COMMANDS } from './commands.ts';
import { COMPLETED_SHELLS, completed } from './completions.ts';

const agents = [...AGENTS.keys()];
const commands = await Promise.all(
  Object.entries(COMMANDS).map(async ([name, [summary, load]]) =>
    completed(name, summary, (await load()).default, agents),
  ),
);

function completedByBash(...words: string[]): readonly string[] {
  const script = `${COMPLETED_SHELLS.bash?.(commands)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hookline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}

test.each([
  ['commands', ['doc'], ['doctor']],
  ['options', ['setup', '--dr'], ['--dry-run']],
  ['agents', ['setup', ''], expect.arrayContaining(agents)],
  ['words of a command', ['rules', 'ch'], ['check']],
  ['agents of a part', ['matrix', 'co'], ['codex', 'copilot']],
  ['parts of a command', ['history', 'ex'], ['export']],
  ['options of a part', ['history', 'export', '--ot'], ['--otlp']],
  ['options of a part by itself', ['export', '--ot'], ['--otlp']],
  ['no part among the commands', ['bac'], []],
  ['nothing of ours', ['show', 'x'], []],
])('bash completes %s', (_, words, expected) => {
  expect(completedByBash('hookline', ...words)).toEqual(expected);
});

test.each(Object.entries(COMPLETED_SHELLS))('%s knows every command and option', (_, write) => {
  const script = write(commands);
  for (const { name, options } of commands) {
    expect(script).toContain(name);
    for (const option of options) expect(script).toContain(option.name.slice(2));
  }
  expect(script.match(/'/g)?.length ?? 0).toSatisfy((count: number) => count % 2 === 0);
});
