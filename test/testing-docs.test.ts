import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../src/sandbox/process.ts';
import { linkHookline } from './example-package.ts';
import { scratchFolder } from './support/scratch.ts';

// The code on docs/testing.md runs as a reader would run it, with the hook of docs/hooks.md. Code that needs a real
// agent runs in test/clients.

function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
}

const [guard = ''] = blocksOf('hooks.md', 'ts');
const [hookTest = '', , , model = ''] = blocksOf('testing.md', 'js');

async function runModule(code: string, ...options: string[]) {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'hooks'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'hooks', 'guard.ts'), guard);
  writeFileSync(join(folder, 'page.test.js'), code);
  linkHookline(folder);
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  return run(process.execPath, [...options, 'page.test.js'], { cwd: folder, env });
}

test('the test of a hook passes on every agent that it names', async () => {
  const { code, stdout } = await runModule(hookTest, '--test');
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(/^# pass 1$|^ℹ pass 1$/m);
});

test('the model alone prints its URL and stops', async () => {
  const { code, stdout, stderr } = await runModule(model);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
});
