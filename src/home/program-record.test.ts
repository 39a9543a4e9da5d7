import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../test/support/scratch.ts';
import { type HomePaths, homePaths } from './paths.ts';
import type { Program } from './program.ts';
import { changesText, programChanges, readProgramRecord, recordProgram } from './program-record.ts';

async function recorded(): Promise<{ folder: string; program: Program; paths: HomePaths; node: string }> {
  const folder = scratchFolder();
  for (const name of ['bin', 'dist', 'dist/packs', 'src']) mkdirSync(join(folder, name));
  for (const name of ['package.json', 'bin/hookline.js', 'dist/cli.js', 'dist/packs/a.yaml', 'src/a.ts'])
    writeFileSync(join(folder, name), 'one');
  const node = join(scratchFolder(), 'node');
  writeFileSync(node, 'node');
  const program = { packages: [folder], runtimes: [node] };
  const paths = homePaths(scratchFolder());
  await recordProgram(paths, program);
  return { folder, program, paths, node };
}

async function changes({ paths, program }: { paths: HomePaths; program: Program }) {
  const record = readProgramRecord(paths);
  if (record === null) throw new Error('nothing is recorded');
  return programChanges(paths, record, program);
}

test('an unchanged program has no changes, even if its files are written again', async () => {
  const all = await recorded();
  expect(await changes(all)).toEqual([]);
  writeFileSync(join(all.folder, 'dist/cli.js'), 'one');
  expect(await changes(all)).toEqual([]);
});

test("names what was changed, added or deleted, and ignores what doesn't run", async () => {
  const all = await recorded();
  const { folder, node } = all;
  writeFileSync(join(folder, 'dist/cli.js'), 'two');
  // Setting the modification time doesn't hide it.
  utimesSync(join(folder, 'dist/cli.js'), 1, 1);
  writeFileSync(join(folder, 'dist/new.js'), 'two');
  writeFileSync(join(folder, 'src/a.ts'), 'two');
  rmSync(join(folder, 'dist/packs/a.yaml'));
  writeFileSync(node, 'other');
  expect([...(await changes(all))].sort()).toEqual(
    [
      `${folder}/dist/cli.js was changed`,
      `${folder}/dist/new.js was added`,
      `${folder}/dist/packs/a.yaml was deleted`,
      `${node} was changed`,
    ].sort(),
  );
});

test("doesn't compare a checkout that a person works on", async () => {
  const all = await recorded();
  writeFileSync(join(all.folder, 'dist/cli.js'), 'two');
  expect(await changes({ ...all, program: { ...all.program, packages: [] } })).toEqual([]);
});

test('without a record, or with a broken one, nothing is known', async () => {
  const { paths } = await recorded();
  writeFileSync(paths.program, '{');
  expect(readProgramRecord(paths)).toBeNull();
  rmSync(paths.program);
  expect(readProgramRecord(paths)).toBeNull();
});

test('names only the first of many changes', () => {
  expect(changesText(['a', 'b', 'c', 'd', 'e'].map((name) => `${name} was changed`))).toContain(
    'a was changed, b was changed, c was changed, and 2 more.',
  );
});

test('a file that setup installs for an agent must be a copy from the package', async () => {
  const all = await recorded();
  const shims = join(all.paths.root, 'bin', 'shims');
  const core = join(shims, 'cline.cjs');
  mkdirSync(join(all.folder, 'dist/shims'));
  writeFileSync(join(all.folder, 'dist/shims/cline.cjs'), 'core');
  await recordProgram(all.paths, all.program);
  mkdirSync(shims, { recursive: true });
  writeFileSync(core, 'core');
  expect(await changes(all)).toEqual([]);
  writeFileSync(core, 'other');
  expect(await changes(all)).toEqual([`${core} was added`]);
  writeFileSync(core, 'older');
  await recordProgram(all.paths, all.program);
  expect(await changes(all)).toEqual([]);
  writeFileSync(core, 'other');
  expect(await changes(all)).toEqual([`${core} was changed`]);
});
