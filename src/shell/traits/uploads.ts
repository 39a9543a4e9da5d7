import type { Upload } from '../../knowledge/traits.ts';
import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { plainWords, verbLength } from './verbs.ts';

const ELSEWHERE: Readonly<Record<NonNullable<Upload['to']>, RegExp>> = {
  address: /^[a-z][a-z0-9+-]*:\/\//i,
  host: /^:?[\w.@-]+:/,
};

/** Reads what a command uploads, and marks it as sent. */
export function upload(call: Call, uploads: readonly Upload[]): void {
  const words = plainWords(call);
  for (const one of uploads) {
    const length = verbLength(one.on, words);
    if (length === null || (one.with && !call.has(...one.with))) continue;
    const rest = words.slice(length);
    const target = rest.at(-1);
    const elsewhere = one.to && ELSEWHERE[one.to];
    if (elsewhere && !(target && rest.length > 1 && elsewhere.test(target.template))) continue;
    const files = [...filesOf(one, rest), ...call.values(...(one.values ?? []))];
    for (const word of files) if (!elsewhere?.test(word.template)) call.read(word);
    call.network({ sends: true });
  }
}

function filesOf({ files }: Upload, words: readonly Word[]): readonly Word[] {
  switch (files) {
    case 'all':
      return words;
    case 'but-first':
      return words.slice(1);
    case 'but-last':
      return words.slice(0, -1);
    default:
      return [];
  }
}
