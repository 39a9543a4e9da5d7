import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { SHELL_NAME } from '../expand/parameter.ts';
import { whereIs } from '../memory/installed.ts';
import { hasUnknown, madeOf } from '../placeholders.ts';
import type { CodeTable } from '../tool.ts';

/** One line per word, as far as known. */
function lines(words: readonly Word[], print: (word: Word) => string): string | undefined {
  return words.length === 0 ? undefined : words.map(print).join('\n');
}

/** The absolute path of a file. Links on disk are resolved wherever names are compared. */
function wholePath(call: Call, word: Word): string {
  if (word.glob) return call.walk.textOf(word);
  const { template } = word;
  if (template === SHELL_NAME) return UNKNOWN;
  const { path } = call.path(word);
  if (path !== null) return path;
  if (hasUnknown(template.charAt(0)) || /^[/~]/.test(template)) return template;
  return call.cwd === null ? UNKNOWN : `${call.cwd}/${template}`;
}

function realpath(call: Call): string | undefined {
  return call.has('--relative-to', '--relative-base')
    ? undefined
    : lines(call.operands, (word) => wholePath(call, word));
}

const BY_PROCESS = /^\/(?:proc|dev\/fd)\//;

/** Without an option it prints the link's target, which depends on where it is used. */
function readlink(call: Call): string | undefined {
  if (call.has('-f', '-e', '-m', '--canonicalize', '--canonicalize-existing', '--canonicalize-missing'))
    return realpath(call);
  return lines(call.operands, (word) => {
    const path = wholePath(call, word);
    return BY_PROCESS.test(path) ? path : madeOf(call.walk.nameAmong([word]));
  });
}

/** `/a/b` of `/a/b/c`, by its text alone. */
function folderOf(path: string): string {
  const own = path.replace(/(.)\/+$/, '$1');
  const slash = own.lastIndexOf('/');
  if (own === SHELL_NAME) return UNKNOWN;
  if (slash < 0) return hasUnknown(own) ? madeOf(own) : '.';
  return own.slice(0, slash).replace(/\/+$/, '') || '/';
}

function dirname(call: Call): string | undefined {
  return lines(call.operands, (word) => folderOf(call.walk.textOf(word)));
}

function nameOf(path: string, suffix: string): string {
  const own = path.replace(/(.)\/+$/, '$1');
  const name = own.slice(own.lastIndexOf('/') + 1) || '/';
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function basename(call: Call): string | undefined {
  const suffix = call.value('--suffix');
  const isMany = suffix !== null || call.has('--multiple');
  const end = suffix ?? (isMany ? undefined : call.operands[1]);
  const words = isMany ? call.operands : call.operands.slice(0, 1);
  return lines(words, (word) => {
    const path = call.walk.textOf(word);
    return hasUnknown(path.slice(path.lastIndexOf('/') + 1)) ? UNKNOWN : nameOf(path, end?.template ?? '');
  });
}

/** `stat -c %n` prints its arguments. */
function stat(call: Call): string | undefined {
  const format = call.value('--format', '--printf')?.text;
  return format && /^%n(?:\\n)?$/.test(format)
    ? lines(call.operands, (word) => call.walk.textOf(word))
    : undefined;
}

/** `type -P`, which prints a path; without that option it prints words. */
const type = (call: Call) => (call.has('-p', '-P') ? whereIs(call.walk, call.operands) : undefined);

/** Programs that print a path, so that its later use can be followed. */
export const PATH_PRINTERS: CodeTable = {
  basename,
  dirname,
  readlink,
  realpath,
  stat,
  type,
  whereis: (call) => whereIs(call.walk, call.operands.slice(0, 1)),
  which: (call) => whereIs(call.walk, call.operands),
};
