// Bundles what runs inside of a client into one file for each agent that has a host: dist/shims/<agent>.js.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'tsdown';

const agents = new URL('../src/agents/', import.meta.url);
const hosts = readdirSync(agents)
  .map((id) => ({ id, file: fileURLToPath(new URL(`${id}/host.ts`, agents)) }))
  .filter(({ file }) => existsSync(file));

for (const { id, file } of hosts) {
  // Setup puts the settings before it. Nothing but the default is exported: clients take each export for a plugin.
  const entry = `import { host } from ${JSON.stringify(file)};\nexport default host(HOOKLINE_SETTINGS);\n`;
  await build({
    config: false,
    entry: { [id]: 'shim-entry' },
    outDir: fileURLToPath(new URL('../dist/shims/', import.meta.url)),
    outExtensions: () => ({ js: '.js' }),
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    dts: false,
    clean: false,
    logLevel: 'warn',
    plugins: [
      {
        name: 'shim-entry',
        resolveId: (name) => (name === 'shim-entry' ? { id: 'shim-entry' } : null),
        load: (name) => (name === 'shim-entry' ? entry : null),
      },
    ],
  });
}
