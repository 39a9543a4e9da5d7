// Programs of this folder that judge with the real rules bundle the sources they need: Node 20 runs no TypeScript.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'tsdown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles one TypeScript file of the repository into a folder, with what it reads beside itself, and imports the result.
 *
 * @param {string} entry relative to the root of the repository
 * @param {string} outDir
 */
export async function importSource(entry, outDir) {
  const bundle = join(outDir, 'dist');
  const { compileKnowledge } = await bundleSource('src/knowledge/compile.ts', join(outDir, 'compiler'));
  mkdirSync(bundle, { recursive: true });
  writeFileSync(join(bundle, 'knowledge.json'), JSON.stringify(compileKnowledge(join(root, 'knowledge'))));
  cpSync(join(root, 'src/rules/packs'), join(bundle, 'packs'), { recursive: true });
  // As it is installed: what is bundled finds its version in the folder above.
  cpSync(join(root, 'package.json'), join(outDir, 'package.json'));
  return bundleSource(entry, bundle);
}

/**
 * The same for a file that reads nothing beside itself.
 *
 * @param {string} entry relative to the root of the repository
 * @param {string} outDir
 */
export async function bundleSource(entry, outDir) {
  await build({
    config: false,
    cwd: root,
    entry: { entry },
    outDir,
    clean: false,
    format: 'esm',
    platform: 'node',
    deps: { alwaysBundle: [/.*/], neverBundle: [/^node:/] },
    inputOptions: { resolve: { mainFields: ['module', 'main'] } },
    dts: false,
    fixedExtension: true,
    logLevel: 'error',
  });
  return import(pathToFileURL(join(outDir, 'entry.mjs')).href);
}
