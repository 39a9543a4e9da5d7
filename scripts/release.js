// Packs every package of a release into a folder and, with --publish, publishes them. The working tree is not edited.
//
//   node scripts/release.js --out <folder>                          for this platform, with a forwarder built here
//   node scripts/release.js --out <folder> --binaries <folder>      with <folder>/<platform>/hookline-forward
//   node scripts/release.js --out <folder> --binaries … --publish   in CI, from the tag of the version
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { programProblem, versionProblems } from './release/checks.js';
import {
  forwarderManifest,
  json,
  PLATFORMS,
  publishedManifest,
  publishedReadme,
  sqliteFiles,
} from './release/packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: { out: { type: 'string' }, binaries: { type: 'string' }, publish: { type: 'boolean' } },
});
class NotReady extends Error {}

const fromRoot = (path) => readFileSync(join(root, path), 'utf8');
const main = JSON.parse(fromRoot('package.json'));

const scratch = mkdtempSync(join(tmpdir(), 'hookline-release-'));
try {
  release();
} catch (error) {
  if (!(error instanceof NotReady)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function release() {
  stopOn(startProblems());
  const staged = stageMain();
  const forwarders = findForwarders(staged);
  stopOn(forwarderProblems(forwarders));
  rmSync(join(staged, 'dist', 'bin'), { recursive: true, force: true });
  mkdirSync(options.out, { recursive: true });
  // The main package last: it can't be installed before the ones it names are there.
  const packed = [...forwarders.map(packForwarder), packSqlite(), pack(staged)];
  for (const { file } of packed) console.log(file);
  if (options.publish) packed.forEach(publish);
}

function startProblems() {
  const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
  const problems = options.out === undefined ? ['Which folder? Give --out <folder>.'] : [];
  const tag = options.publish && GITHUB_REF_TYPE === 'tag' ? (GITHUB_REF_NAME ?? null) : null;
  if (options.publish && tag === null) problems.push('--publish is for CI, from a tag: push one.');
  const [cargoToml, changelog] = [fromRoot('native/Cargo.toml'), fromRoot('CHANGELOG.md')];
  return [...problems, ...versionProblems({ version: main.version, cargoToml, changelog, tag })];
}

/** What `npm pack` takes from the checkout, unpacked, with the manifest and readme that are published. */
function stageMain() {
  execFileSync('tar', ['-xzf', packInto(scratch, root), '-C', scratch]);
  const staged = join(scratch, 'package');
  writeFileSync(join(staged, 'package.json'), json(publishedManifest(main)));
  writeFileSync(join(staged, 'README.md'), publishedReadme(fromRoot('README.md')));
  return staged;
}

/** The platforms that a program was given for; without --binaries, this one if its forwarder was built. */
function findForwarders(staged) {
  const { platform: os, arch: cpu } = process;
  return PLATFORMS.flatMap((platform) => {
    const { id } = platform;
    if (options.binaries === undefined && id !== `${os}-${cpu}`) return [];
    const folder = options.binaries === undefined ? join(staged, 'dist', 'bin') : join(options.binaries, id);
    const path = join(folder, 'hookline-forward');
    return existsSync(path) ? [{ platform, program: readFileSync(path) }] : [];
  });
}

function forwarderProblems(forwarders) {
  const missing = PLATFORMS.filter((platform) => !forwarders.some((one) => one.platform === platform));
  return [
    ...forwarders.map(({ program, platform }) => programProblem(program, platform)),
    ...(options.publish
      ? missing.map(({ id }) => `There is no forwarder for ${id} in ${options.binaries}.`)
      : []),
  ].filter((problem) => problem !== null);
}

function packForwarder({ platform, program }) {
  const folder = writePackage(platform.id, {
    'package.json': json(forwarderManifest(main, platform)),
    'hookline-forward': program,
  });
  chmodSync(join(folder, 'hookline-forward'), 0o755);
  return pack(folder);
}

function packSqlite() {
  return pack(writePackage('sqlite', sqliteFiles(main)));
}

function writePackage(name, files) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) writeFileSync(join(folder, path), content);
  return folder;
}

function pack(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, file: packInto(resolve(options.out), folder) };
}

/** The tarball of a folder. npm 12 gives another JSON than npm 11, but both print the name of the file. */
function packInto(destination, folder) {
  return join(destination, npm(folder, 'pack', '--silent', '--pack-destination', destination).trim());
}

/** A release that was cut short is run again, and a version cannot be published twice. */
function publish({ name, version, file }) {
  if (isPublished(`${name}@${version}`)) return console.log(`${name}@${version} is published already`);
  const channel = version.includes('-') ? 'next' : 'latest';
  npm(scratch, 'publish', file, '--provenance', '--access', 'public', '--tag', channel);
  console.log(`${name}@${version} published as ${channel}`);
}

function isPublished(spec) {
  try {
    return npm(scratch, 'view', spec, 'version').trim() !== '';
  } catch {
    return false;
  }
}

function npm(cwd, ...args) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function stopOn(problems) {
  if (problems.length > 0) throw new NotReady(problems.map((problem) => `release: ${problem}`).join('\n'));
}
