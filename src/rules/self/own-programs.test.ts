import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shellCall } from '../../../test/support/rules/rules.ts';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { createFacts } from '../facts.ts';
import { createSessionMemory } from '../session/memory.ts';
import { realWorld } from '../world/machine.ts';

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));

/** The words of each Hookline call in a line, with the real files of this machine. */
function calls(command: string, cwd: string): readonly string[] {
  const facts = createFacts(
    shellCall(command, cwd),
    realWorld(
      () => ({}),
      () => false,
    ),
    createSessionMemory(),
  );
  return (facts.analysis()?.commands ?? [])
    .filter(({ tool }) => tool === 'hookline')
    .map(({ operands }) => operands.map(({ text }) => text).join(' '));
}

function project(): string {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'tools'));
  symlinkSync(join(PACKAGE, 'bin/hookline.js'), join(folder, 'h'));
  symlinkSync(join(PACKAGE, 'bin/hookline.js'), join(folder, 'tools/helper.js'));
  symlinkSync(PACKAGE, join(folder, 'checkout'));
  writeFileSync(join(folder, 'other.js'), '');
  return folder;
}

test.each([
  './h down',
  'node h down',
  'node ./h down',
  'node tools/helper.js down',
  'node tools/helper down',
  'bun tools/helper.js down',
  'bun run ./tools/helper.js down',
  'cd tools && ./helper.js down',
  'checkout/bin/hookline.js down',
  'node checkout/dist/cli.js down',
  'node checkout down',
  'cd checkout && node . down',
  `${PACKAGE}bin/hookline.js down`,
  'exec ./h down',
  "sh -c './h down'",
  'FOO=1 timeout 5 ./h down',
])('a link or a path to the program is the program: %s', (command) => {
  expect(calls(command, project())).toContain('down');
});

test.each([
  'node other.js down',
  './other.js down',
  'cat h',
  'ls checkout/bin',
  'node -p 1',
  'grep down tools/helper.js',
])('anything else is not the program: %s', (command) => {
  expect(calls(command, project())).toEqual([]);
});

/** Programs that the line starts besides Hookline, and files that Hookline writes for it. */
function started(command: string) {
  const world = {
    ...realWorld(
      () => ({}),
      () => false,
    ),
    programs: new Map([
      ['@one/cli', 'one'],
      ['@two/cli', 'two'],
    ]),
  };
  const { commands = [], effects = [] } =
    createFacts(shellCall(command), world, createSessionMemory()).analysis() ?? {};
  return {
    agents: commands
      .filter(({ tool, guessed }) => !guessed && (tool === 'one' || tool === 'two'))
      .map(({ tool, argv }) => [tool, ...argv.slice(1).map(({ text }) => text)].join(' ')),
    written: effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : [])),
  };
}

test.each([
  ['hookline exec one "do it"', ['one']],
  ['hookline exec one "do it" -- --yolo -x=1', ['one --yolo -x=1']],
  ['hookline exec --timeout 5m one "do it" --json -- --yolo', ['one --yolo']],
  ['node bin/hookline.js exec two "do it" -- --yolo', ['two --yolo']],
  ['hookline exec "$AGENT" "do it" -- --yolo', ['one --yolo', 'two --yolo']],
  ['hookline exec one two -- --yolo', ['one --yolo', 'two --yolo']],
  ['hookline status', []],
])('exec starts an agent, and rules see which one: %s', (command, agents) => {
  expect(started(command).agents).toEqual(agents);
});

test.each(['--output-last-message out.md', '--output-last-message=out.md'])(
  'exec writes a file: %s',
  (option) => {
    expect(started(`hookline exec one "do it" ${option}`).written).toEqual(['/home/dev/project/out.md']);
  },
);
