import { type Stdin, UNKNOWN } from '../analysis.ts';
import { hasUnknown } from '../placeholders.ts';
import { posixPath } from '../places/windows-paths.ts';
import type { Tool } from '../tool.ts';
import { known, makeWord } from '../word.ts';
import type { Evaluation } from './evaluate.ts';
import { derived, NOTHING, onlyText, textValue, type Value } from './values.ts';

/** Words that PowerShell would pass to a program. */
export function runArgv(evaluation: Evaluation, words: readonly string[], input: Value, tool?: Tool): Value {
  const { walk, reentry } = evaluation;
  const argv = words.map((word) => {
    const text = pathText(word);
    return makeWord(text, text, /[*?]/.test(text) && !/^-|:\/\/|\s/.test(text));
  });
  const first = walk.commands.length;
  const template = input.items.join('\n');
  const stdin: Stdin = {
    from: 'pipe',
    text: known(template),
    template: template || UNKNOWN,
    sources: earlier(first),
  };
  const output = reentry.argv(walk, argv, {
    ...(input === NOTHING ? {} : { stdin }),
    ...(tool && { tool }),
  });
  return textValue(output);
}

const MAX_SOURCES = 8;

function earlier(end: number): readonly number[] {
  return Array.from({ length: Math.min(end, MAX_SOURCES) }, (_, at) => end - 1 - at);
}

/** Turns backslashes into slashes in a path, but not in a search expression. */
function pathText(word: string): string {
  if (word.startsWith('-') || !/[\\%]|^[a-z]:/i.test(word)) return word;
  return /^\\[bBdDwWsS]|[\^|{}+]|\n/.test(word) ? word : posixPath(word);
}

/** Values as words. A list after a parameter repeats the parameter. */
export function wordsOf(given: readonly Value[]): readonly string[] {
  const words: string[] = [];
  let parameter: string | null = null;
  for (const value of given) {
    const items: readonly string[] =
      value.items.length > 0 ? value.items : [value.blocks.length > 0 ? '{}' : ''];
    for (const [at, item] of items.entries()) {
      if (at > 0 && parameter !== null) words.push(parameter);
      words.push(/^-\w+:$/.test(item) ? item.slice(0, -1) : item);
    }
    const [only = ''] = items;
    parameter = items.length === 1 && /^-[A-Za-z]\w*:?$/.test(only) ? only.replace(/:$/, '') : null;
  }
  return words;
}

/** Runs text as code, as words if they are known. */
export function runCode(evaluation: Evaluation, code: Value): Value {
  const text = onlyText(code);
  if (text !== null && !code.decoded) {
    evaluation.text(text);
    return derived(code);
  }
  if (code.decoded && !code.items.some(hasUnknown)) {
    runArgv(evaluation, ['invoke-expression', UNKNOWN, '-Decoded'], NOTHING);
    for (const item of code.items) evaluation.text(item);
  } else
    runArgv(evaluation, ['invoke-expression', ...code.items, ...(code.decoded ? ['-Decoded'] : [])], NOTHING);
  return derived(code);
}
