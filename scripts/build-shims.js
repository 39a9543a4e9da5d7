// Bundles what runs inside of a client into one file for each agent, in the folder given: dist/shims/<agent>.js, which setup writes where the
// client loads it, and dist/<agent>-package.js, which the client loads from this package.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const agents = new URL('../src/agents/', import.meta.url);
const filesNamed = (name) =>
  readdirSync(agents)
    .map((id) => ({ id, file: fileURLToPath(new URL(`${id}/${name}.ts`, agents)) }))
    .filter(({ file }) => existsSync(file));

// Nothing but the default is exported: clients take each export for a plugin.
for (const { id, file } of filesNamed('host')) {
  // Setup puts the settings before it.
  const entry = `import { host } from ${JSON.stringify(file)};\nexport default host(HOOKLINE_SETTINGS);\n`;
  await bundle(`shims/${id}`, 'shim-entry', [
    {
      name: 'shim-entry',
      resolveId: (name) => (name === 'shim-entry' ? { id: 'shim-entry' } : null),
      load: (name) => (name === 'shim-entry' ? entry : null),
    },
  ]);
}
for (const { id, file } of filesNamed('package')) await bundle(`${id}-package`, file);

function bundle(name, entry, plugins = []) {
  return build({
    config: false,
    entry: { [name]: entry },
    outDir: process.argv[2],
    outExtensions: () => ({ js: '.js' }),
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: false,
    clean: false,
    logLevel: 'warn',
    plugins,
  });
}
