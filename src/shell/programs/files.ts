import { dirname, resolve } from 'node:path/posix';
import type { Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import { isUnknown } from '../placeholders.ts';
import { posixPath } from '../places/windows-paths.ts';
import type { CodeTable } from '../tool.ts';
import { writeInto } from '../tools/into.ts';
import { tail } from '../word.ts';

/** The Windows command removes a tree with its own switches. */
function rmdir(call: Call): undefined {
  const isSwitch = ({ template }: Word) => /^\/[sq]$/i.test(template);
  const tree = call.operands.some(isSwitch);
  for (const word of call.operands)
    if (!isSwitch(word))
      call.remove(tree ? literal(posixPath(word.raw.replace(/['"]/g, ''))) : word, tree, tree);
}

/** The last operand or the value of `-t` is the target, the others are sources. */
function destination(call: Call): { sources: readonly Word[]; target: Word | null } {
  const directory = call.value('--target-directory');
  if (directory) return { sources: call.operands, target: directory };
  return { sources: call.operands.slice(0, -1), target: call.operands.at(-1) ?? null };
}

/** An unknown last word may expand to nothing. Then the word before it is the target. */
function writeTo(call: Call, sources: readonly Word[], target: Word | null, whole: boolean): void {
  if (!target) return;
  writeInto(call, sources, target, whole);
  const before = sources.at(-1);
  if (isUnknown(target.template) && before && sources.length > 1)
    writeInto(call, sources.slice(0, -1), before, whole);
}

function copy(call: Call): undefined {
  const { sources, target } = destination(call);
  for (const word of sources) call.read(word);
  if (call.has('--link', '--symbolic-link')) linkTo(call, sources, target);
  writeTo(call, sources, target, call.has('--recursive', '-r', '--archive'));
  if (isNothing(sources)) call.write(target, { truncated: true });
  const before = sources.at(-1);
  if (before && target && isUnknown(target.template) && isNothing(sources.slice(0, -1)))
    call.write(before, { truncated: true });
  carry(call, sources, target);
}

/** Copying an empty source empties the target file. */
function isNothing(sources: readonly Word[]): boolean {
  return sources.length > 0 && sources.every(({ text }) => text === '/dev/null');
}

function move(call: Call): undefined {
  const { sources, target } = destination(call);
  for (const word of sources) {
    call.read(word);
    call.moveAway(word);
  }
  writeTo(call, sources, target, true);
  carry(call, sources, target);
  const to = target && call.path(target).path;
  for (const word of sources) {
    const from = call.path(word).path;
    if (from !== null && to !== null) call.walk.store.move(from, to);
  }
}

/** A copied script is still the same script. */
function carry(call: Call, sources: readonly Word[], target: Word | null): void {
  const [source] = sources;
  if (sources.length !== 1 || !source || !target) return;
  const file =
    source.text === '/dev/stdin' ? call.command.stdin : call.walk.store.get(call.path(source).path ?? '');
  if (file) call.setContent(target, file);
}

function dd(call: Call): undefined {
  for (const word of call.operands) {
    if (word.template.startsWith('if=')) call.read(tail(word, 3));
    if (!word.template.startsWith('of=')) continue;
    call.write(tail(word, 3));
    if (!call.operands.some(({ template }) => template.startsWith('if=')))
      call.setContent(tail(word, 3), call.command.stdin);
  }
}

function tee(call: Call): string {
  const { template, sources } = call.command.stdin;
  for (const word of call.operands) {
    call.write(word, { append: call.has('--append') });
    call.setContent(word, { template, sources });
  }
  return template;
}

/** Removing permissions looks like an option: `chmod -x file`. */
const TAKEN = /^-[rwxXst]+(?:,[ugoa]*[-+=][rwxXstugo]*)*$/;

function chmod(call: Call): undefined {
  const taken = call.command.argv.find(({ template }) => TAKEN.test(template))?.text ?? null;
  const isFirstMode = taken === null && !call.has('--reference');
  const mode = isFirstMode ? (call.operands[0]?.text ?? null) : taken;
  for (const word of call.operands.slice(isFirstMode ? 1 : 0))
    call.permission(word, mode, call.has('--recursive'));
}

function chown(call: Call): undefined {
  const words = call.operands.slice(call.has('--reference') ? 0 : 1);
  for (const word of words) call.changeOwner(word, call.has('--recursive'));
}

function format(call: Call): undefined {
  for (const word of call.operands) {
    call.write(word);
    call.system('format', call.path(word).path);
  }
}

function truncate(call: Call): undefined {
  const truncated = /^0\w*$/.test(call.value('--size')?.template ?? '');
  for (const word of call.operands) call.write(word, { truncated });
}

/** A later write to the link goes to its target. A relative target starts at the link's directory. */
function linkTo(call: Call, sources: readonly Word[], target: Word | null): void {
  const place = target === null ? null : call.path(target).path;
  for (const word of sources) {
    const { path } = call.path(word);
    call.system('link', path);
    const isRelative = word.text !== null && !/^[/~]/.test(word.text);
    if (place === null || !isRelative) continue;
    for (const from of [place, dirname(place)]) call.system('link', resolve(from, word.text ?? ''));
  }
}

function link(call: Call): undefined {
  const { sources, target } = destination(call);
  const links = sources.map((word) => ({ word, to: call.path(word) }));
  for (const { word } of links) call.read(word);
  const at = call.path(target ?? literal('.')).path;
  // With one operand, the link gets its base name in the working directory.
  if (sources.length === 0 && target) linkTo(call, [target], null);
  else linkTo(call, sources, target);
  if (target && isUnknown(target.template)) linkTo(call, sources.slice(0, -1), sources.at(-1) ?? null);
  if (sources.length === 0 && target) writeInto(call, [target], literal('.'), false);
  else writeTo(call, sources, target, false);
  for (const { to } of links) {
    if (at === null || to.path === null || to.glob) continue;
    // The last word may be a directory. Then the link is created in it.
    if (links.length === 1) call.walk.store.link(at, to.path);
    call.walk.store.link(`${at}/${to.path.slice(to.path.lastIndexOf('/') + 1)}`, to.path);
  }
}

/** Returns a new unique name each time, so that later uses of the file are recognized. */
function mktemp(call: Call): string {
  const folder = call.value('--tmpdir', '-p')?.template || '/tmp';
  const [pattern] = call.operands;
  const fresh = `new-${call.walk.length}-${call.index}`;
  if (pattern === undefined) return `${folder}/tmp.${fresh}`;
  const name = pattern.template.replace(/X{3,}/, fresh);
  return call.has('--tmpdir', '-p', '-t') && !name.startsWith('/') ? `${folder}/${name}` : name;
}

/** Combines `cp` and `chmod`; with `-d` it only creates directories. */
function install(call: Call): undefined {
  const mode = call.value('--mode')?.text;
  const target = call.value('--target-directory') ?? call.operands.at(-1) ?? null;
  if (mode && target) call.permission(target, mode, false);
  const stripper = call.value('--strip-program');
  if (stripper) call.runArgv([stripper]);
  if (!call.has('--directory')) return copy(call);
  for (const word of call.operands) call.write(word);
}

/** The file named as output is not shredded, and another word names it. */
function shred(call: Call): undefined {
  for (const word of call.operands) {
    if (word.text === '-') continue;
    call.write(word);
    call.remove(word, false, true);
  }
}

function setfacl(call: Call): undefined {
  for (const word of call.operands)
    call.permission(word, call.value('--modify')?.text ?? null, call.has('--recursive'));
}

function xattr(call: Call): undefined {
  const { argv } = call.command;
  const isMark = call.has('-d', '-w') && argv.some(({ text }) => text === 'com.apple.quarantine');
  if (isMark || call.has('-c')) call.system('security', 'quarantine');
}

/** Programs that work on files. */
export const FILES: CodeTable = {
  chmod,
  chown,
  copy,
  dd,
  format,
  install,
  link,
  mktemp,
  move,
  rmdir,
  setfacl,
  shred,
  tee,
  truncate,
  xattr,
};
