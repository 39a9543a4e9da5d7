import type { Speaks } from '../../knowledge/traits.ts';
import type { Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { plainWords, verbLength } from '../traits/verbs.ts';
import { scriptFile, scriptInput } from './shells.ts';
import { sqlEffects } from './sql.ts';

/** SQL that a program gets from any source. */
export function runSpoken(call: Call, ways: readonly Speaks[]): void {
  const words = plainWords(call);
  for (const { on, without = [], in: options = [], files = [], words: skipped, stdin } of ways) {
    const length = verbLength(on, words);
    if (length === null || call.has(...without)) continue;
    const operands = skipped === undefined ? [] : words.slice(length + skipped);
    for (const { template } of [...call.values(...options), ...operands]) sqlEffects(call, template);
    for (const file of call.values(...files)) runSqlFile(call, file);
    if (stdin === true || (stdin && call.has(...stdin))) runSqlInput(call);
  }
}

/** Content of a file, if known: the line or the session wrote it, or it is readable now. */
export function runSqlFile(call: Call, file: Word): void {
  call.read(file);
  sqlEffects(call, scriptFile(call, file).template);
}

export function runSqlInput(call: Call): void {
  sqlEffects(call, scriptInput(call).template);
}
