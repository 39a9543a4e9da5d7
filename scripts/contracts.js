// npm run contracts: what changed between two versions of each agent, measured on the real clients.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';

const HELP = `Runs each agent at the version that Hookline was measured with and at the newest one in the registry, and writes what
changed between them to docs/contracts.md. Takes a minute or two for each version of each agent.

Usage  npm run contracts -- [options]

  --agents A,B     only these
  --versions A,B   with one agent: these versions, the one to compare with first
  --out FILE       the page goes there instead of to docs/contracts.md
  --json FILE      the differences as data
  --help           this text

Example
  npm run contracts -- --agents claude --versions 2.1.325,2.1.200 --out /tmp/contracts.md`;

const { values } = parseArgs({
  options: {
    agents: { type: 'string' },
    versions: { type: 'string' },
    out: {
      type: 'string',
      default: fileURLToPath(new URL('contracts.md', new URL('../docs/', import.meta.url))),
    },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
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
