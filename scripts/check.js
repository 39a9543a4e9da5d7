// `npm run check`: types, lint, what is unused, what the package exports, and native/. All at once, and only what fails
// is shown. A part that cannot run on this machine is announced; in CI it fails.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const native = join(root, 'native');
const scratch = mkdtempSync(join(tmpdir(), 'hookline-check-'));

/** @typedef {{ ok: boolean, text: string }} Outcome */

/**
 * Runs a command line, of programs in node_modules as well: npm has put them on PATH.
 *
 * @param {string} line
 * @param {string} [cwd]
 * @returns {Promise<Outcome>}
 */
function run(line, cwd = root) {
  const env = { ...process.env, CARGO_TARGET_DIR: join(native, 'target') };
  const child = spawn(line, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ ok: code === 0, text }));
  });
}

/** One after the other, until one fails. */
async function runAll(...lines) {
  for (const line of lines) {
    const outcome = await run(line);
    if (!outcome.ok) return outcome;
  }
  return { ok: true, text: '' };
}

/** What other projects see of the package as it was last built. */
async function checkPackage() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tarball = `"${join(scratch, `hookline-${version}.tgz`)}"`;
  return runAll(
    `npm pack --silent --ignore-scripts --pack-destination "${scratch}"`,
    `publint run --strict ${tarball}`,
    // Node and bundlers of today: there is no CommonJS to import.
    `attw --profile esm-only --no-emoji --no-color ${tarball}`,
  );
}

/** @param {'fmt' | 'clippy'} tool @param {string} args */
async function cargo(tool, args) {
  const { ok } = await run(`cargo ${tool} --version`, native);
  if (ok) return run(`cargo ${tool} ${args}`, native);
  // The words that .ci/run looks for.
  const text = `*** cargo ${tool} is missing: the checks of native/ do not run. Install Rust (https://rustup.rs). ***`;
  if (!process.env.CI) console.error(`\n${text}\n`);
  return { ok: !process.env.CI, text };
}

/** @type {Readonly<Record<string, () => Promise<Outcome>>>} */
const PARTS = {
  types: () => runAll('tsc --noEmit', 'tsc --noEmit -p web'),
  lint: () => run('biome check .'),
  unused: () => runAll('knip --no-progress', 'knip --no-progress --production'),
  package: checkPackage,
  rustfmt: () => cargo('fmt', '--check'),
  clippy: () => cargo('clippy', '--offline --quiet --all-targets -- -D warnings'),
};

try {
  // Not beside the others: it writes files that they read.
  if (!existsSync(join(root, 'dist'))) await run('npm run build --silent');
  const parts = await Promise.all(
    Object.entries(PARTS).map(async ([name, check]) => ({ name, ...(await check()) })),
  );
  const failed = parts.filter(({ ok }) => !ok);
  for (const { name, text } of failed) console.error(`== ${name}\n${text.trimEnd()}\n`);
  const names = failed.map(({ name }) => name);
  console.log(
    names.length === 0 ? `Checked: ${Object.keys(PARTS).join(', ')}.` : `Failed: ${names.join(', ')}.`,
  );
  process.exitCode = names.length === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
