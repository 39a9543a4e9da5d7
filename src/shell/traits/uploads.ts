import type { Upload } from '../../knowledge/traits.ts';
import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';

const ELSEWHERE: Readonly<Record<NonNullable<Upload['to']>, RegExp>> = {
  address: /^[a-z][a-z0-9+-]*:\/\//i,
  host: /^:?[\w.@-]+:/,
};

/** Reads what a command uploads, and says that it goes over the network. */
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

/** All that is neither an option nor its value: which of them are verbs, the program's own table may not say. */
function plainWords({ command: { argv, options } }: Call): readonly Word[] {
  const taken = new Set(options.flatMap(({ raw, value }) => (value ? [raw, value.raw] : [raw])));
  return argv.slice(1).filter(({ raw }) => !taken.has(raw) && raw !== '--');
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

/** How many words the verb takes up; null where the command has another one. */
function verbLength(verbs: Upload['on'], words: readonly Word[]): number | null {
  if (verbs === undefined) return 0;
  const verb = verbs.find((one) => one.every((part, at) => part === (words[at]?.text ?? '')));
  return verb?.length ?? null;
}
