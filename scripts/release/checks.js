// What must be true before anything is packed or published. Each check returns problems as sentences.

/** @typedef {import('./packages.js').Platform} Platform */

const HEADING = /^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$/;

/**
 * @param {{ version: string, cargoToml: string, changelog: string, tag: string | null }} release `tag` is the one to
 *   publish from; null when nothing is published.
 * @returns {readonly string[]}
 */
export function versionProblems({ version, cargoToml, changelog, tag }) {
  const problems = [];
  const crate = /^version = "(.*)"$/m.exec(cargoToml)?.[1];
  if (crate !== version) problems.push(`native/Cargo.toml is version ${crate}, package.json is ${version}.`);
  const heading = changelog.split('\n').find((line) => line.startsWith('## ')) ?? '';
  const [, described, date] = HEADING.exec(heading) ?? [];
  if (described !== version) {
    problems.push(
      `CHANGELOG.md begins with "${heading}", not with "## ${version} (date)" or "## ${version} (unreleased)".`,
    );
  }
  if (tag === null) return problems;
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, package.json is ${version}.`);
  if (date === 'unreleased') problems.push(`CHANGELOG.md has no date for ${version}.`);
  return problems;
}

const ELF = { x64: 62, arm64: 183 };
const MACH_O = { x64: 0x01000007, arm64: 0x0100000c };

/**
 * Why a program cannot be the native forwarder of a platform; null when it can.
 *
 * @param {Buffer} program
 * @param {Platform} platform
 * @returns {string | null}
 */
export function programProblem(program, { id, os, cpu }) {
  const isOfPlatform =
    os === 'linux'
      ? program.readUInt32BE(0) === 0x7f454c46 && program.readUInt16LE(18) === ELF[cpu]
      : program.readUInt32LE(0) === 0xfeedfacf && program.readUInt32LE(4) === MACH_O[cpu];
  if (!isOfPlatform) return `The forwarder for ${id} is a program of another platform.`;
  if (os === 'linux' && needsLoader(program)) {
    return `The forwarder for ${id} is linked dynamically: it would run with one C library only.`;
  }
  return null;
}

/** Whether a 64-bit ELF program names an interpreter, as only dynamic ones do.
 *
 * @param {Buffer} program
 */
function needsLoader(program) {
  const PT_INTERP = 3;
  const start = Number(program.readBigUInt64LE(32));
  const size = program.readUInt16LE(54);
  const count = program.readUInt16LE(56);
  return Array.from({ length: count }, (_, index) => program.readUInt32LE(start + index * size)).includes(
    PT_INTERP,
  );
}
