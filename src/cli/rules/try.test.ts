import { expect, test } from 'vitest';
import { printed, useHome } from '../../../test/support/cli.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { AGENTS } from '../../agents/_registry.ts';
import command from './try.ts';

const attempt = async (...args: string[]) => {
  useHome({ root: scratchFolder() });
  return (await printed(command, args)).join('\n');
};
const ALL = `all ${AGENTS.size} agents`;

test('a bare command is a call of the shell tool, and agents that get the same are one entry', async () => {
  const said = await attempt('git push --force');
  expect(said).toMatch(new RegExp(`^${ALL} {2}deny {2}git/force-push\n {2}Force pushes [^\n]*$`));
  expect(said).toBe(await attempt('--tool', 'Bash', '--input', '{"command":"git push --force"}'));
});

test('no decision says whose permissions apply', async () => {
  expect(await attempt('ls')).toBe(
    `${ALL}  no decision\n  No rule matched. The agent's own permissions apply.`,
  );
});

test('the exact response is shown for one agent', async () => {
  expect(await attempt('git push --force')).not.toContain('permissionDecision');
  expect(await attempt('git push --force', '--agent', 'claude')).toMatch(
    /^claude {2}deny .*"permissionDecision"/s,
  );
});

test('an ask that an agent gets as a denial says so, with the reason of that agent', async () => {
  const said = await attempt('npm publish');
  expect(said).toMatch(/^claude, .* {2}ask {2}recommended\/publish/m);
  expect(said).toMatch(/^codex, .* {2}ask, sent as deny {2}recommended\/publish/m);
  expect(said).toMatch(/^ {2}Codex \d.* treats "ask" as a failed hook/m);
});

test.each([
  [[], "Missing command. Example: `hookline try 'git push --force'`."],
  [['--tool', 'Bash'], `Missing --input, such as '{"command":"ls"}'.`],
  [['--input', '{}'], 'Missing --tool, such as Bash.'],
  [['ls', '--tool', 'Bash'], 'A command goes without --tool and --input.'],
  [['git', 'push'], 'Unexpected argument "push": put the command in quotes.'],
  [
    ['git', 'push', '--force'],
    'Unknown option "--force". If it belongs to the command, put the command in quotes.',
  ],
])('%j says what is missing', async (args, message) => {
  await expect(attempt(...args)).rejects.toThrow(message);
});
