// Builds dist/ unless it already is what a build of these sources made: `npm start` and `npm run install:global`, one after
// the other, build once. What is built, and from what, is compared by content, so that a changed dist/ is built again.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules', '.cache', 'hookline-build', 'stamp');
const SOURCES = ['src', 'web', 'knowledge', 'native', 'scripts', 'bin', 'package.json', 'package-lock.json'];
const MORE = ['tsconfig.json', 'tsdown.config.ts'];
/** Made by a build: of Cargo, or for the tests. */
const MADE = /^native\/target$|^src\/knowledge\/knowledge\.json/;

const before = contents([...SOURCES, ...MORE]);
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === stampOf(before)) {
  console.error('Already built.');
} else {
  execFileSync(process.execPath, [join(root, 'scripts/build.js')], { cwd: root, stdio: 'inherit' });
  mkdirSync(dirname(stamp), { recursive: true });
  // The sources as they were before: what changed meanwhile may not be in it.
  writeFileSync(stamp, stampOf(before));
}

/** @param {string} sources */
function stampOf(sources) {
  const cargo = spawnSync('cargo', ['--version'], { encoding: 'utf8' }).stdout ?? 'no cargo';
  return [sources, contents(['dist']), process.version, cargo].join('\n');
}

/** @param {readonly string[]} paths */
function contents(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesIn)) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  const whole = join(root, path);
  if (MADE.test(path) || !existsSync(whole)) return [];
  const entries = namesIn(whole);
  if (entries === null) return [path];
  return entries.sort().flatMap((name) => filesIn(`${path}/${name}`));
}

/** @param {string} path */
function namesIn(path) {
  try {
    return readdirSync(path);
  } catch {
    return null;
  }
}
