// Compiles the packs into the folder given: what decides in one file, the examples in another, the commands in the files
// of programs in a third.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, , outDir] = process.argv;
const scratch = mkdtempSync(join(tmpdir(), 'hookline-packs-'));
try {
  // Node 20 runs no TypeScript.
  await build({
    config: false,
    cwd: root,
    entry: { compiler: 'scripts/packs-entry.ts' },
    outDir: join(scratch, 'dist'),
    format: 'esm',
    platform: 'node',
    deps: { alwaysBundle: [/.*/], neverBundle: [/^node:/] },
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    dts: false,
    fixedExtension: true,
    logLevel: 'error',
  });
  // As it is installed: what is bundled finds its version in the folder above.
  cpSync(join(root, 'package.json'), join(scratch, 'package.json'));
  cpSync(join(outDir, 'knowledge.json'), join(scratch, 'dist/knowledge.json'));
  const parts = await import(pathToFileURL(join(scratch, 'dist/compiler.mjs')).href);
  const places = { ...parts.EXAMPLE_PLACES, ...parts.agentPlaces() };
  writeFileSync(join(outDir, parts.BUILT_ACTS), JSON.stringify(parts.compileActs()));
  const { compiled, examples } = parts.compilePacks(join(root, 'src/rules/packs'), places);
  writeFileSync(join(outDir, parts.BUILT_PACKS), JSON.stringify(compiled));
  writeFileSync(join(outDir, parts.BUILT_EXAMPLES), JSON.stringify(examples));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
