// npm run contracts: runs each agent at the version that Hookline was measured with and at the newest one, and writes
// what changed between them to docs/contracts.md. It wants a registry; nothing but the clients comes from it.
//   --agents A,B      only these
//   --versions A,B    with one agent: these versions, the one to compare with first
//   --out FILE        where the page goes
//   --json FILE       the differences as data
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';

const { values } = parseArgs({
  options: {
    agents: { type: 'string' },
    versions: { type: 'string' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('contracts.md', new URL('../docs/', import.meta.url))),
    },
    json: { type: 'string' },
  },
});
const listed = (text) => (text === undefined ? [] : text.split(',').filter((word) => word !== ''));

const drift = fileURLToPath(new URL('../test/contracts/drift.ts', import.meta.url));
// Only to read TypeScript: it listens nowhere and watches nothing.
const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { measureDrift, driftPage } = await vite.ssrLoadModule(drift);
  const drifts = await measureDrift({
    agents: listed(values.agents),
    versions: listed(values.versions),
    say: (text) => console.error(text),
  });
  writeFileSync(values.out, driftPage(drifts));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(drifts, null, 1)}\n`);
  console.log(`${values.out} has what changed in ${drifts.map(({ label }) => label).join(', ')}.`);
} finally {
  await vite.close();
}
