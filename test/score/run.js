// npm run score -- <folder or files>: how many labelled commands the rules stop. `--help` says more.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importSource } from '../bundle-source.js';

const folder = mkdtempSync(join(tmpdir(), 'hookline-score-'));
try {
  const { main } = await importSource('test/score/main.ts', folder);
  process.exitCode = main(process.argv.slice(2), {
    print: (text) => process.stdout.write(`${text}\n`),
    complain: (text) => process.stderr.write(`${text}\n`),
    progress: process.stderr.isTTY ? (text) => process.stderr.write(`\r\x1b[K${text}`) : () => {},
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
