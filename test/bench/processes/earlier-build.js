// An earlier revision of this repository, built, to be measured in turns with the present one. The build is kept in
// node_modules/.cache: the second run starts at once, and `npm ci` or deleting node_modules clears it.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closesOnce } from './interrupted.js';
import { root } from './scratch-home.js';

/** What calls cost then is what they may cost, times the limit of the bench. */
export const PINNED = '966c861f4fa4f65addf7ac3640c0a3d227f8a5d5';

const CACHE = 'node_modules/.cache/hookline-bench';
/** All that a build needs to run. */
const PARTS = ['bin', 'dist', 'node_modules', 'package.json'];
/** A build takes 40 MB. */
const MOST_BUILDS = 3;

/**
 * Builds a revision, unless it is built already.
 *
 * @param {string} revision
 * @param {string} [checkout]
 * @returns {{ folder: string, commit: string } | { missing: string }} `missing` says why there is nothing to measure.
 */
export function earlierBuild(revision, checkout = root) {
  const git = (...args) =>
    execFileSync('git', ['-C', checkout, ...args], {
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const commit = commitOf(revision, git);
  if (commit === null) return { missing: `revision ${revision} is not in this checkout. ${whatHelps(git)}` };
  const cache = join(checkout, CACHE);
  // Another Node may want another driver of the store.
  const folder = join(cache, `${commit}-${process.version}`);
  if (!existsSync(folder)) {
    console.error(`building ${commit.slice(0, 8)} to compare with …`);
    buildInto(folder, git('archive', commit));
    removeOldBuilds(cache, folder);
  }
  return { folder, commit };
}

function commitOf(revision, git) {
  try {
    return String(git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)).trim();
  } catch {
    return null;
  }
}

function whatHelps(git) {
  try {
    const isShallow = String(git('rev-parse', '--is-shallow-repository')).trim() === 'true';
    return isShallow ? 'Run `git fetch --unshallow`.' : 'Run `git fetch`.';
  } catch {
    return 'There is no git repository: clone one.';
  }
}

/** Not built inside node_modules: bundlers take everything there for a dependency. */
function buildInto(folder, archive) {
  const scratch = mkdtempSync(join(tmpdir(), 'hookline-bench-build-'));
  const draft = `${folder}.${process.pid}`;
  const close = closesOnce(() => {
    rmSync(draft, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  });
  const npm = (...args) =>
    execFileSync('npm', [...args, '--silent'], { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    execFileSync('tar', ['-x', '-C', scratch], { input: archive });
    npm('ci', '--ignore-scripts', '--no-audit', '--no-fund');
    npm('run', 'build');
    npm('prune', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund');
    mkdirSync(draft, { recursive: true });
    for (const part of PARTS) cpSync(join(scratch, part), join(draft, part), { recursive: true });
    // Whole, or not there.
    renameSync(draft, folder);
  } finally {
    close();
  }
}

/** Also removes leftovers of an interrupted build. */
function removeOldBuilds(cache, newest) {
  const others = readdirSync(cache)
    .map((name) => join(cache, name))
    .filter((path) => path !== newest)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of others.slice(MOST_BUILDS - 1)) rmSync(path, { recursive: true });
}
