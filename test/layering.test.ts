import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { FOLDERS, foldersPage, ROOMS } from './folders-page.ts';

const root = new URL('../', import.meta.url);
const source = new URL('src/', root);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
const agents = readdirSync(new URL('agents/', source), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['kit', 'setup'].includes(entry.name))
  .map((entry) => entry.name);

const folderOf = (file: string) => file.split('/')[0] ?? '';
const textOf = (file: string) => readFileSync(new URL(file, source), 'utf8');

function importsOf(file: string): string[] {
  const specifiers = textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
  return [...specifiers].map(([, specifier = '']) => posix.join(posix.dirname(file), specifier));
}

/** Folders inside of one that have sources; what is for tests only, or data, is none. */
function roomsIn(folder: string): string[] {
  const rooms = files.flatMap((file) => new RegExp(`^${folder}/([^/]+)/`).exec(file)?.[1] ?? []);
  return [...new Set(rooms)].sort();
}

const withRooms = folders.filter((folder) => roomsIn(folder).length > 0);

type Graph = Map<string, Map<string, string>>;

/** Which folders each folder imports from, with an import that shows it. */
function folderGraph(): Graph {
  return graphOf(files, (file) => (folders.includes(folderOf(file)) ? folderOf(file) : null));
}

/** A program hands lines to code, code runs lines, and lines name programs. */
const ONE_PIECE = ['shell/code', 'shell/programs', 'shell/tools'];

/** The same for the folders inside of one. What lies beside them is not counted, and what is one piece counts as one. */
function roomGraph(folder: string): Graph {
  const inside = files.filter((file) => folderOf(file) === folder);
  return graphOf(inside, (file) => {
    const room = new RegExp(`^${folder}/([^/]+)/`).exec(file)?.[1] ?? null;
    return ONE_PIECE.includes(`${folder}/${room}`) ? ONE_PIECE.join(', ') : room;
  });
}

/** @param placeOf the folder that a file counts for; null for none */
function graphOf(some: readonly string[], placeOf: (file: string) => string | null): Graph {
  const graph: Graph = new Map();
  for (const file of some) {
    for (const target of importsOf(file)) {
      const [from, to] = [placeOf(file), placeOf(target)];
      if (from === null || to === null || from === to) continue;
      const edges = graph.get(from) ?? new Map<string, string>();
      graph.set(from, edges.set(to, `${file} → ${target}`));
    }
  }
  return graph;
}

/** The imports along one cycle; empty when there is none. */
function findCycle(graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const done = new Set<string>();
  const search = (folder: string, path: readonly [string, string][]): string[] => {
    const start = path.findIndex(([from]) => from === folder);
    if (start !== -1) return path.slice(start).map(([, shown]) => shown);
    if (done.has(folder)) return [];
    for (const [to, shown] of graph.get(folder) ?? []) {
      const cycle = search(to, [...path, [folder, shown]]);
      if (cycle.length > 0) return cycle;
    }
    done.add(folder);
    return [];
  };
  return [...graph.keys()].map((folder) => search(folder, [])).find((cycle) => cycle.length > 0) ?? [];
}

test('folders form a DAG', () => {
  expect(findCycle(folderGraph())).toEqual([]);
});

test('detects a cycle', () => {
  const graph = new Map([
    ['model', new Map([['engine', 'model/a.ts → engine/b.ts']])],
    ['engine', new Map([['store', 'engine/b.ts → store/c.ts']])],
    ['store', new Map([['model', 'store/c.ts → model/a.ts']])],
  ]);
  expect(findCycle(graph)).toHaveLength(3);
});

test.each(withRooms)('the subfolders of %s form a DAG', (folder) => {
  expect(findCycle(roomGraph(folder))).toEqual([]);
});

test('detects subfolders and their imports', () => {
  expect(withRooms.length).toBeGreaterThan(10);
  expect(roomsIn('rules')).toContain('match');
  expect(roomGraph('rules').size).toBeGreaterThan(3);
});

test('the parts of redaction do not import the pass that uses them', () => {
  const rooms = files.filter((file) => /^redact\/[^/]+\//.test(file));
  for (const file of rooms)
    expect(
      importsOf(file).filter((one) => /^redact\/[^/]+$/.test(one)),
      file,
    ).toEqual([]);
});

/** As many files as one can look over. */
const MOST_FILES = 25;

test('a folder is small enough to read at a glance', () => {
  const counts = new Map<string, number>();
  for (const folder of files.map((file) => posix.dirname(file)))
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const full = [...counts].filter(([, count]) => count > MOST_FILES);
  expect(full).toEqual([]);
  expect(counts.size).toBeGreaterThan(80);
});

test.each(['test', 'scripts', 'web/src'])('so is a folder of %s', (folder) => {
  const inside = readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.[jt]sx?$/.test(file) && !/\.test\.tsx?$|(?:^|\/)node_modules\//.test(file));
  const folders = inside.map((file) => posix.dirname(file));
  const full = folders.filter((one) => folders.filter((other) => other === one).length > MOST_FILES);
  expect([...new Set(full)]).toEqual([]);
  expect(new Set(folders).size).toBeGreaterThan(1);
});

test('docs/folders.md has a sentence about every folder', () => {
  expect(Object.keys(FOLDERS).sort()).toEqual([...folders].sort());
});

/** Those of agents are named after agents, but for two. */
test.each(withRooms.filter((folder) => folder !== 'agents'))(
  'docs/folders.md has a sentence about every room of %s',
  (folder) => {
    // The packs are data.
    const rooms = folder === 'rules' ? [...roomsIn(folder), 'packs'] : roomsIn(folder);
    expect(Object.keys(ROOMS[folder]?.rooms ?? {}).sort()).toEqual(rooms.sort());
  },
);

test.each(Object.keys(ROOMS))('files that docs/folders.md names beside the rooms of %s exist', (folder) => {
  const named = [...(ROOMS[folder]?.beside ?? '').matchAll(/`([\w/-]+\.tsx?)`/g)].map(
    ([, file = '']) => file,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !files.includes(`${folder}/${file}`))).toEqual([]);
});

/** The edges that no longer path stands for: enough to see what depends on what. */
function shortEdges(graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from)?.keys() ?? [])].some((next) => next === to || reaches(next, to));
  return [...graph].flatMap(([from, targets]) =>
    [...targets.keys()]
      .filter((to) => ![...targets.keys()].some((other) => other !== to && reaches(other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
}

test('docs/folders.md shows the folders and the graph as they are', async () => {
  const page = foldersPage(shortEdges(folderGraph()).sort());
  await expect(page).toMatchFileSnapshot('../docs/folders.md');
});

test.each(['model', 'platform'])('%s imports from no other folder', (folder) => {
  expect([...(folderGraph().get(folder)?.values() ?? [])]).toEqual([]);
});

test('test code is outside of src, and only tests import it', () => {
  expect(files.filter((file) => /(?:^|[/-])testing\b/.test(file))).toEqual([]);
  for (const file of files)
    expect(
      importsOf(file).filter((one) => one.startsWith('../test/')),
      file,
    ).toEqual([]);
});

/** Clients that are made from another one, and differ in names. */
const MADE_FROM: Readonly<Record<string, string>> = { kilo: 'opencode' };

test('no agent imports another, except one that it is based on', () => {
  for (const file of files.filter((one) => agents.some((id) => one.startsWith(`agents/${id}/`)))) {
    const own = file.split('/')[1];
    for (const target of importsOf(file)) {
      const [folder, agent = ''] = target.split('/');
      if (folder === 'agents' && agents.includes(agent))
        expect([own, MADE_FROM[own ?? '']], file).toContain(agent);
    }
  }
});

/** Arguments and results that only one agent's tools have. */
const FIELDS =
  'dir_path|absolute_path|notebook_path|old_source|llmContent|returnDisplay|structuredPatch|(?:Begin|End) Patch';

/** Agents whose names are also words that code is full of. */
const EVERYDAY: ReadonlySet<string> = new Set(['cursor']);

test('a vendor is named only in its own folder', () => {
  const names = new RegExp(
    `\\b(?:${agents.filter((id) => !EVERYDAY.has(id)).join('|')})\\b|PreToolUse|PostToolUse|BeforeTool\\b|hookSpecificOutput|${FIELDS}`,
    'i',
  );
  const own = new RegExp(
    `^agents/(?:(?:${agents.join('|')}|kit|setup)/|_registry|_clients|_names)|^rules/import/`,
  );
  const named = files
    .filter((file) => !own.test(file))
    .flatMap((file) =>
      textOf(file)
        .split('\n')
        .map((line, at) => `src/${file}:${at + 1}: ${line.trim()}`)
        // What people read may name an agent as an example; the code may not.
        .filter((line) => names.test(line.replace(/(['"`])[^'"`]*hookline .*?\1(?=,|\])/g, ''))),
    );
  expect(named).toEqual([]);
});

test('text reaches a terminal only through one module', () => {
  // What the screen shows is drawn in one place, by the painter, which lets nothing through but its own styles.
  const drawing = files.filter((file) => file.startsWith('tui/') && /\.draw\(/.test(textOf(file)));
  expect(drawing).toEqual(['tui/run-tui.ts']);
  expect(textOf('tui/run-tui.ts')).toContain('.map((line) => painted(line, COLOURED))');
  expect(textOf('tui/paint.ts')).toContain('forTerminal(');
  // Escape sequences are written where they are made safe, and where a screen is opened, drawn or rung; they are read
  // where keys are.
  const writers = files.filter((file) => !file.startsWith('shell/') && /\\x1b/.test(textOf(file)));
  expect(writers.sort()).toEqual([
    'cli/output/progress.ts',
    'notify/send.ts',
    'terminal/style.ts',
    'tui/keyboard.ts',
    'tui/terminal.ts',
  ]);
});
