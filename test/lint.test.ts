import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from './support/scratch.ts';

const fileHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const biome = fileHere('../node_modules/@biomejs/biome/bin/biome');
const plugins = ['long-files', 'long-functions'].map((name) => fileHere(`../scripts/lint/${name}.grit`));

/** What our own lint rules say of a source file. */
function linted(text: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins }));
  writeFileSync(join(folder, 'long.ts'), text);
  const args = [biome, 'lint', '--colors=off', 'long.ts'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    // It keeps a cache in the home folder.
    env: { ...process.env, HOME: folder, XDG_CACHE_HOME: folder },
  });
  const said = stdout + stderr;
  expect(said).toContain('Checked 1 file');
  return said;
}

const lines = (count: number) => 'void 0;\n'.repeat(count);

/** A function of so many lines, in each of its forms. */
const FORMS: Readonly<Record<string, (count: number) => string>> = {
  'a declaration': (count) => `export function f(): void {\n${lines(count - 2)}}\n`,
  'an arrow': (count) => `export const f = (): void => {\n${lines(count - 2)}};\n`,
  'an expression': (count) => `export const f = function (): void {\n${lines(count - 2)}};\n`,
  'a method of a class': (count) => `export class C {\nf(): void {\n${lines(count - 2)}}\n}\n`,
  'a method of an object': (count) => `export const o = {\nf(): void {\n${lines(count - 2)}}\n};\n`,
  'a getter': (count) => `export const o = {\nget f(): number {\n${lines(count - 3)}return 1;\n}\n};\n`,
};

test.each(Object.entries(FORMS))('%s may have at most 50 lines', (_, form) => {
  expect(linted(form(50))).not.toContain('more than 50 lines');
  expect(linted(form(51))).toContain('This function has more than 50 lines');
});

test('a file may have at most 319 lines', () => {
  const file = (count: number) => lines(count).trimEnd();
  expect(linted(file(319))).not.toContain('more than 319 lines');
  expect(linted(file(320))).toContain('This file has more than 319 lines');
});
