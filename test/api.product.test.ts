import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { scratchFolder } from './support/scratch.ts';

// Every function that other programs can import has an example that compiles. Answers of hooks are tested in src/hooks
// and src/live.

const root = new URL('../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), 'utf8');
const { compilerOptions } = v.parse(
  v.object({ compilerOptions: v.looseObject({ paths: v.record(v.string(), v.tuple([v.string()])) }) }),
  JSON.parse(textOf('tsconfig.json')),
);
/** `hookline/testing` → `./src/live/index.ts`. */
const sources = Object.entries(compilerOptions.paths).map(([name, [source]]) => ({ name, source }));

/** The names of functions in a module, without classes, and the text that documents each. */
async function documented(source: string): Promise<Map<string, string>> {
  const entry = new URL(source, root);
  const exported: Readonly<Record<string, unknown>> = await import(entry.href);
  const text = readFileSync(entry, 'utf8');
  const parts = new Set([...text.matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) => path));
  const texts = [text, ...[...parts].map((path) => readFileSync(new URL(path, entry), 'utf8'))];
  const names = Object.keys(exported).filter((name) => /^(?!class )/.test(String(exported[name])));
  return new Map(
    names.map((name) => {
      const form = new RegExp(
        `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*export (?:async )?(?:function|const) ${name}\\b`,
      );
      return [name, texts.map((one) => form.exec(one)?.[1]).find(Boolean) ?? ''];
    }),
  );
}

/** The code below `@example`. */
function exampleIn(comment: string): string {
  return comment
    .slice(comment.indexOf('@example') + '@example'.length)
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, ''))
    .join('\n');
}

test.each(sources)('every function of $name has an example', async ({ source }) => {
  const found = [...(await documented(source))];
  expect(found.length).toBeGreaterThan(1);
  expect(found.filter(([, text]) => !text.includes('@example')).map(([name]) => name)).toEqual([]);
});

/** The types of the built package, which others compile against. */
const typesOf = (source: string) => source.replace('./src/', './dist/types/').replace(/\.ts$/, '.d.ts');

/** Compiler messages for these files, each a module in a project with Hookline. */
function compiled(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const absolute = (path: string) => fileURLToPath(new URL(path, root));
  const paths = Object.fromEntries(sources.map(({ name, source }) => [name, [absolute(typesOf(source))]]));
  const typeRoots = [absolute('node_modules/@types')];
  const config = {
    extends: absolute('tsconfig.json'),
    compilerOptions: { rootDir: '/', paths, typeRoots, noUnusedParameters: false },
    files: Object.keys(files),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const compiler = absolute('node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  return stdout;
}

const WRONG = "import { deny } from 'hookline';\n\nexport default deny(1);\n";

test('the examples and the code in docs compile; one that does not is found', async () => {
  const files: Record<string, string> = {};
  for (const { source } of sources)
    for (const [name, text] of await documented(source)) files[`${name}.ts`] = exampleIn(text);
  const pages = ['api', 'hooks'].map((page) => textOf(`docs/${page}.md`)).join('\n');
  const blocks = pages.matchAll(/```ts\n([\s\S]*?)```/g);
  for (const [at, [, block = '']] of [...blocks].entries()) files[`page-${at}.ts`] = block;
  expect(Object.keys(files).length).toBeGreaterThan(15);
  for (const text of Object.values(files)) expect(text).toMatch(/^import .* from 'hookline/m);
  expect(compiled({ ...files, 'wrong.ts': WRONG })).toMatch(/^wrong\.ts\(3,21\): error TS2345: .*\n$/);
});

test('docs/api.md names every import, and every function behind it', async () => {
  const page = textOf('docs/api.md');
  const { exports } = v.parse(
    v.looseObject({ exports: v.record(v.string(), v.unknown()) }),
    JSON.parse(textOf('package.json')),
  );
  const imports = Object.keys(exports).filter((path) => path !== './package.json');
  for (const path of imports) expect(page).toContain(`| \`${path.replace('.', 'hookline')}\` |`);
  for (const { source } of sources)
    for (const name of (await documented(source)).keys()) expect(page).toContain(`\`${name}\``);
});
