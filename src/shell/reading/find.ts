import type { Word } from '../analysis.ts';
import { literal } from '../call.ts';
import { WIDE_FIELD } from './languages.ts';
import type { Look } from './reader.ts';

/** Tests of find and actions that print, with and without a value. All others delete, write, run or follow links. */
const WITH_VALUE = new Set(
  (
    'name iname path ipath wholename iwholename regex iregex regextype type xtype size mtime mmin ctime cmin atime amin ' +
    'newer anewer cnewer perm user group uid gid links inum maxdepth mindepth samefile printf fstype used lname ilname'
  ).split(' '),
);
const WITHOUT = new Set(
  (
    'empty true false readable writable executable nouser nogroup depth d mount xdev noleaf daystart warn nowarn ' +
    'print print0 ls prune quit a and o or not ignore_readdir_race noignore_readdir_race'
  ).split(' '),
);
const NEWER = /^newer[aBcm][aBcmt]$/;

/** Where a search looks; null if it may do more than look. */
export function looksOfFind(words: readonly Word[]): readonly Look[] | null {
  let at = 0;
  while (words[at]?.text === '-P') at++;
  const roots: Word[] = [];
  for (; at < words.length && !/^[-(!]/.test(words[at]?.template ?? ''); at++)
    roots.push(...words.slice(at, at + 1));
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (/^[()!,]$/.test(text)) continue;
    const name = text.startsWith('-') ? text.slice(1) : '';
    if (WITHOUT.has(name)) continue;
    if (!WITH_VALUE.has(name) && !NEWER.test(name)) return null;
    at++;
    if (words[at] === undefined || WIDE_FIELD.test(words[at]?.template ?? '')) return null;
  }
  const searched = roots.length > 0 ? roots : [literal('.')];
  return searched.map((word) => ({ at: 'names', word, below: false }));
}
