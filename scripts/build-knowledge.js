// Compiles knowledge/ into one file in the folder given: nothing of it is parsed while Hookline runs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleSource } from '../test/bundle-source.js';

const folder = mkdtempSync(join(tmpdir(), 'hookline-knowledge-'));
try {
  const { compileKnowledge } = await bundleSource('src/knowledge/compile.ts', folder);
  const compiled = compileKnowledge(fileURLToPath(new URL('../knowledge', import.meta.url)));
  writeFileSync(join(process.argv[2], 'knowledge.json'), JSON.stringify(compiled));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
