// Writes the declarations of what other packages import, and nothing else, into the folder given: the compiler writes those of every file.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ENTRIES = ['index.d.ts', 'client/index.d.ts', 'live/index.d.ts', 'agents/opencode/package.d.ts'];

const root = fileURLToPath(new URL('..', import.meta.url));
const out = process.argv[2];
const all = join(out, 'all-types');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const args = [compiler, '-p', 'scripts/tsconfig.types.json', '--outDir', all];
execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

const copied = new Set();
function copy(file) {
  if (copied.has(file)) return;
  copied.add(file);
  cpSync(join(all, file), join(out, 'types', file));
  const text = readFileSync(join(all, file), 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g))
    copy(join(dirname(file), specifier.replace(/\.ts$/, '.d.ts')));
}
for (const entry of ENTRIES) copy(entry);
rmSync(all, { recursive: true });
