// npm run golden: compares the analysis of many command lines before and after a change. See `--help`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from '../bundle-source.js';

const folder = mkdtempSync(join(tmpdir(), 'hookline-golden-'));
// The bundle lies elsewhere, and so the tests that it reads are not beside it.
process.env.HOOKLINE_GOLDEN_ROOT = fileURLToPath(new URL('../../', import.meta.url));
try {
  const { main } = await importSource('test/golden/main.ts', folder);
  process.exitCode = main(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
