import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

const source = new URL('../src/', import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));

/** Which folders a folder may import from, besides itself. What stands here is the architecture. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  agents: ['model'],
  shell: ['model'],
  rules: ['model', 'shell', 'engine', 'home'],
  hooks: ['model', 'agents', 'engine', 'rules', 'home', 'observe'],
  observe: ['model', 'shell', 'agents'],
  approvals: ['model', 'engine', 'grants'],
  grants: ['model', 'engine', 'shell', 'home'],
  engine: ['model', 'agents', 'rules', 'grants', 'observe', 'home', 'hooks'],
  home: ['model', 'engine'],
  store: ['model', 'engine', 'agents', 'approvals', 'observe'],
  forwarder: ['model', 'agents', 'engine', 'rules', 'observe', 'home', 'client', 'hooks'],
  daemon: [
    'view',
    'model',
    'hooks',
    'agents',
    'approvals',
    'grants',
    'engine',
    'store',
    'rules',
    'observe',
    'forwarder',
    'home',
    'version.ts',
    'notify',
  ],
  hindsight: ['model', 'agents', 'approvals', 'engine', 'grants', 'rules', 'shell', 'store'],
  client: ['model', 'approvals', 'store', 'daemon', 'home'],
  notify: ['model', 'approvals', 'store', 'home'],
  mcp: ['model', 'store', 'version.ts'],
  view: ['model', 'store'],
  share: ['model', 'view', 'store', 'observe'],
  demo: ['model', 'daemon', 'store', 'home'],
  tui: ['model', 'approvals', 'client', 'store', 'home'],
  cli: [
    'demo',
    'share',
    'tui',
    'model',
    'hooks',
    'agents',
    'approvals',
    'grants',
    'engine',
    'rules',
    'hindsight',
    'shell',
    'client',
    'store',
    'observe',
    'mcp',
    'daemon',
    'forwarder',
    'home',
    'version.ts',
  ],
  'index.ts': ['model', 'hooks'],
  'version.ts': [],
};

const layer = (file: string) => file.split('/')[0] ?? '';
const text = (file: string) => readFileSync(new URL(file, source), 'utf8');

function imports(file: string): string[] {
  const specifiers = text(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, specifier = '']) => posix.join(posix.dirname(file), specifier));
}

test.each(files)('%s imports only what its folder may', (file) => {
  const allowed = MAY_IMPORT[layer(file)];
  expect(allowed, `${layer(file)} is not in the table of this test`).toBeDefined();
  for (const target of imports(file)) {
    if (layer(target) !== layer(file)) expect(allowed, `${file} → ${target}`).toContain(layer(target));
  }
});

test('no agent imports another', () => {
  for (const file of files.filter((one) => /^agents\/[^_/]+\//.test(one))) {
    const own = file.split('/')[1];
    for (const target of imports(file)) {
      const [folder, agent, rest] = target.split('/');
      if (folder === 'agents' && rest !== undefined && !agent?.startsWith('_')) expect(agent).toBe(own);
    }
  }
});

test('a vendor is named in its own folder only', () => {
  const agents = readdirSync(new URL('agents/', source), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => entry.name);
  const names = new RegExp(
    `\\b(?:${agents.join('|')})\\b|PreToolUse|PostToolUse|BeforeTool\\b|hookSpecificOutput`,
  );
  const outside = files.filter((file) => !/^agents\/(?:[^/]+\/|_registry)|\btesting/.test(file));
  const named = outside.flatMap((file) =>
    text(file)
      .split('\n')
      .map((line, at) => `src/${file}:${at + 1}: ${line.trim()}`)
      // What people read may name an agent as an example; the code may not.
      .filter((line) => names.test(line.replace(/(['"`])[^'"`]*hookline .*?\1(?=,|\])/g, ''))),
  );
  expect(named).toEqual([]);
});

test('no source file has more than 500 lines', () => {
  const long = files.map((file) => [file, text(file).split('\n').length] as const).filter(([, n]) => n > 500);
  expect(long).toEqual([]);
});
