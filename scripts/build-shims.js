// Bundles what runs inside of a client into one file for each agent, in the folder given: dist/shims/<agent>.js, which setup writes where the
// client loads it (with a small loader there, the rest is dist/shims/<agent>.cjs, which setup puts in the home), and dist/<agent>-package.js, which the client loads from this package.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const agents = new URL('../src/agents/', import.meta.url);
const filesNamed = (name) =>
  readdirSync(agents)
    .map((id) => ({ id, file: fileURLToPath(new URL(`${id}/${name}.ts`, agents)) }))
    .filter(({ file }) => existsSync(file));

// Nothing but the default is exported: clients take each export for a plugin.
const loaders = new Map(filesNamed('loader').map(({ id, file }) => [id, file]));
for (const { id, file } of filesNamed('host')) {
  const loader = loaders.get(id);
  // Setup puts the settings before it.
  const [name, from] = loader === undefined ? ['host', file] : ['load', loader];
  const entry = `import { ${name} } from ${JSON.stringify(from)};\nexport default ${name}(HOOKLINE_SETTINGS);\n`;
  await bundle(`shims/${id}`, 'shim-entry', {
    plugins: [
      {
        name: 'shim-entry',
        resolveId: (asked) => (asked === 'shim-entry' ? { id: 'shim-entry' } : null),
        load: (asked) => (asked === 'shim-entry' ? entry : null),
      },
    ],
  });
  // What the loader requires.
  if (loader !== undefined)
    await bundle(`shims/${id}`, file, { format: 'cjs', outExtensions: () => ({ js: '.cjs' }) });
}
for (const { id, file } of filesNamed('package')) await bundle(`${id}-package`, file);

function bundle(name, entry, options = {}) {
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
    ...options,
  });
}
