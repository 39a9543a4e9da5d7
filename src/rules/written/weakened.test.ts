import { expect, test } from 'vitest';
import { textsGiven } from './texts.ts';
import { weakenedIn } from './weakened.ts';

const edited = (path: string, before: string, text: string) =>
  weakenedIn({ path, given: { path, text, before, isPart: true }, whole: () => null });

test.each([
  ['.gitignore', '.env\n', ''],
  ['.gitignore', '/secrets/\n*.key', '*.pem'],
  ['.dockerignore', '.env', '!.env'],
])('a file with secrets is no longer left out: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual(['unignored']);
});

test.each([
  ['.gitignore', '.env\n', '*.env\n.env*'],
  ['.gitignore', 'secrets/', '/secrets/**'],
  ['.gitignore', 'dist', ''],
  ['.gitignore', 'a', '!.env.example'],
])('the others still are: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual([]);
});

test.each([
  ['main.tf', 'storage_encrypted = true', 'storage_encrypted = false', 'unprotected'],
  ['infra/app.py', 'publicly_accessible=False', 'publicly_accessible=True', 'unprotected'],
  ['template.yaml', 'PubliclyAccessible: false', 'PubliclyAccessible: true', 'unprotected'],
  ['.circleci/config.yml', 'deploy:\n  requires: [hold]', 'deploy:\n  x: y', 'ungated'],
  ['src/x.go', 'if !isAdmin(u) { http.Error(w, "", 403) }', 'log.Print(u)', 'ungated'],
  ['yarn.lock', 'resolved "https://registry.yarnpkg.com/a"', 'resolved "https://example.io/a"', 'lock-file'],
])('what protects is switched off: %s, %j, %j', (path, before, text, mark) => {
  expect(edited(path, before, text)).toEqual([mark]);
});

test.each([
  ['infra/dev/main.tf', 'deletion_protection = true', 'deletion_protection = false'],
  ['main.tf', 'storage_encrypted = false', 'storage_encrypted = true'],
  ['docs/auth.ts', 'if (!isAdmin(u)) return 403', 'x'],
  ['src/x.go', `${'x()\n'.repeat(5)}if !isAdmin(u) { http.Error(w, "", 403) }`, ''],
  ['yarn.lock', 'resolved "https://npm.example.com/a"', 'resolved "https://npm.example.com/b"'],
])('other changes are ordinary: %s, %j, %j', (path, before, text) => {
  expect(edited(path, before, text)).toEqual([]);
});

test('a patch says what it takes away', () => {
  const patch = '*** Begin Patch\n*** Update File: .gitignore\n@@\n-.env\n+dist\n*** End Patch';
  const tool = {
    name: 'Edit',
    nativeName: 'apply_patch',
    kind: 'write',
    useId: null,
    mcp: null,
    command: null,
  } as const;
  const [written] = textsGiven({ ...tool, input: { patch }, files: [] }, []);
  expect(written).toMatchObject({ path: '.gitignore', text: 'dist', isPart: true, before: '.env' });
});

test('texts that are made to be tried at each of their signs are read to their end', () => {
  for (const part of ['actions = ["*"] ', '0.0.0.0/0 ', 'needs: [', 'deletion_protection = ', 'verify ', '@'])
    for (const path of ['main.tf', '.github/workflows/deploy.yml', 'a.ts', 'package-lock.json', 'test.env'])
      expect(edited(path, part.repeat(3000), part.repeat(3001))).toBeInstanceOf(Array);
});
