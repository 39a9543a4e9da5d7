import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { makeWord } from '../word.ts';

/** Tests and actions of find that take a value: what follows them is never an action. */
const TESTS =
  'amin anewer atime cmin cnewer context ctime fstype gid group ilname iname inum ipath iregex iwholename links lname ' +
  'maxdepth mindepth mmin mtime name newer path perm printf regex regextype samefile size type uid used user ' +
  'wholename xtype newerXY f D';
const WITH_VALUE: ReadonlySet<string> = new Set(TESTS.split(' '));
const FIND_OPTIONS = `${TESTS.replaceAll(/\b(?: |$)/g, '= ')} exec* execdir* ok* okdir* delete print print0 fprint= fls= ls prune quit`;

const MAX_ROOTS = 4;

function find(call: Call): string {
  const words = call.command.argv.slice(1);
  const roots: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.template ?? '';
    const isOption = /^-(?:[HLPEXdsx]+|O\d)$/.test(text);
    if (text === '-f' && words[at + 1]) roots.push(...words.slice(++at, at + 1));
    else if (!isOption && /^[-(!]/.test(text)) break;
    else if (!isOption && words[at]) roots.push(...words.slice(at, at + 1));
  }
  if (roots.length === 0) roots.push(literal('.'));
  const name = onlyName(words.slice(at));
  for (; at < words.length; at++) at = action(call, words, at, roots, name);
  return UNKNOWN;
}

/** The name that everything found has, where one test says so and nothing turns it round. */
function onlyName(tests: readonly Word[]): string | null {
  const texts = tests.map((word) => word.template);
  if (texts.some((text) => /^(?:-o|-or|!|-not|,|-iname|-prune)$/.test(text))) return null;
  const at = texts.indexOf('-name');
  return at < 0 || texts.includes('-name', at + 1) ? null : (tests[at + 1]?.text ?? null);
}

/** Returns the last word the test or action at `at` takes. */
function action(
  call: Call,
  words: readonly Word[],
  at: number,
  roots: readonly Word[],
  found: string | null,
): number {
  const name = words[at]?.template.slice(1) ?? '';
  if (!words[at]?.template.startsWith('-')) return at;
  if (name === 'delete') {
    for (const root of roots) call.remove(root, true, true);
    return at;
  }
  if (name === 'fprint' || name === 'fprint0' || name === 'fls' || name === 'fprintf') {
    call.write(words[at + 1] ?? null);
    return at + (name === 'fprintf' ? 2 : 1);
  }
  if (name === 'exec' || name === 'execdir' || name === 'ok' || name === 'okdir') {
    const end = endOfExec(words, at + 1);
    const command = words.slice(at + 1, end);
    for (const root of roots.length > MAX_ROOTS ? [makeWord(UNKNOWN, '{}')] : roots) {
      call.runArgv(command.map((word) => foundIn(word, root, found)));
    }
    return end;
  }
  return WITH_VALUE.has(name) || name.startsWith('newer') ? at + 1 : at;
}

function endOfExec(words: readonly Word[], from: number): number {
  for (let i = from; i < words.length; i++) {
    if (words[i]?.text === ';') return i;
    if (words[i]?.text === '+' && words[i - 1]?.text === '{}') return i;
  }
  // A `;` that was not escaped ended the command; a `+` that does not follow `{}` is still meant as an end.
  const plus = words.findIndex((word, i) => i >= from && word.text === '+');
  return plus < 0 ? words.length : plus;
}

/** `{}` is anything below the root, which is a pattern as far as rules are concerned. */
function foundIn(word: Word, root: Word, name: string | null): Word {
  if (!word.template.includes('{}')) return word;
  const below = root.template.endsWith('/') ? `${root.template}**` : `${root.template}/**`;
  const found = name === null ? below : `${below}/${name}`;
  return makeWord(word.template.replaceAll('{}', found), word.raw, true);
}

function fd(call: Call): string {
  const words = call.command.argv;
  const at = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.template));
  const roots = call.value('--search-path', '--base-directory') ?? call.operands[1] ?? literal('.');
  if (at > 0) {
    const end = words.findIndex((word, i) => i > at && word.text === ';');
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    const filled = command.map((word) => foundIn(word, roots, null));
    if (command.every((word) => !/\{[/.]*\}/.test(word.template)))
      filled.push(foundIn(literal('{}'), roots, null));
    call.runArgv(filled);
  }
  return UNKNOWN;
}

const FD_OPTIONS =
  'H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob F,fixed-strings a,absolute-path ' +
  'l,list-details L,follow p,full-path d,max-depth= min-depth= E,exclude= t,type= e,extension= S,size= c,color= ' +
  'j,threads= search-path= base-directory= changed-within= changed-before= 0,print0 x,exec X,exec-batch';

export const FINDERS: ToolTable = {
  find: { options: FIND_OPTIONS, singleDash: true, run: find },
  fd: { options: FD_OPTIONS, run: fd },
  fdfind: { options: FD_OPTIONS, run: fd },
};
