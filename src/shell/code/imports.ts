/** Modules that a program text loads from files next to it. */
const PYTHON =
  /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w., \t]+))|[;:][ \t]*import[ \t]+([\w., \t]+)/gm;
const NODE = /(?:\brequire\s*\(|\bfrom\b|\bimport\b\s*\(?)\s*['"`](\.{0,2}\/[^'"`\n]+)['"`]/g;

/** Candidate files, relative to the directory of the text. The caller checks which of them exist. */
export function importsOf(text: string, tool: string): readonly string[] {
  if (tool === 'python') return [...new Set(pythonNames(text))].flatMap(pythonFiles);
  if (tool === 'node' || tool === 'tsx' || tool === 'ts-node')
    return [...new Set([...text.matchAll(NODE)].map(([, path = '']) => path))].flatMap(nodeFiles);
  return [];
}

function pythonNames(text: string): string[] {
  return [...text.matchAll(PYTHON)].flatMap(([, from, first, second]) =>
    (from ?? first ?? second ?? '').split(',').map((name) => name.trim().split(/\s/)[0] ?? ''),
  );
}

/** `a.b` is `a/b.py`, or a package of that name. */
export function pythonFiles(name: string): readonly string[] {
  const path = name.replace(/^\.+/, '').replaceAll('.', '/');
  return path === '' ? [] : [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}

export function nodeFiles(path: string): readonly string[] {
  return [path, ...['.js', '.cjs', '.mjs', '.ts', '/index.js'].map((ending) => path + ending)];
}
