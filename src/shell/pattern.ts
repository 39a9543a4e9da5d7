import type { Option, SimpleCommand, Word } from './analysis.ts';
import { globPattern } from './expand/pattern.ts';
import { invocation } from './invocation.ts';
import { parseScript } from './syntax/from-unbash.ts';
import { baseName, findTool, toolName } from './tools/registry.ts';
import { makeWord } from './word.ts';

/** A command as rules write it: `git push --force`, `rm -rf`, `kubectl delete namespace`. */
export interface CommandPattern {
  /** The program, for an index; null when any program fits. */
  readonly tool: string | null;
  matches(command: SimpleCommand): boolean;
}

/**
 * Compares by meaning: options in any order and spelling, further options and operands allowed. Operands must appear
 * in the order given and may hold `*`. Null when the text is not one plain command.
 */
export function commandPattern(text: string): CommandPattern | null {
  const [node, ...more] = parseScript(text).items;
  if (node?.kind !== 'simple' || more.length > 0) return null;
  const words: Word[] = node.words.map((word) =>
    makeWord(word.text ?? word.raw.replace(/^["']|["']$/g, ''), word.raw),
  );
  const [first] = words;
  if (first?.text == null) return null;
  const name = baseName(first.text);
  const any = name === '*';
  const tool = any ? null : toolName(name);
  const wanted = invocation(any ? undefined : findTool(name), words);
  const operands = [...wanted.operands].map((word) => matcher(word.template));
  return {
    tool,
    matches: (command) =>
      (tool === null || command.tool === tool) &&
      wanted.sub.every((word, i) => command.sub[i] === word) &&
      wanted.options.every((option) => hasOption(command, option)) &&
      inOrder(operands, command.operands),
  };
}

function matcher(pattern: string): (text: string) => boolean {
  return (pattern.includes('*') && globPattern(pattern)) || ((text) => text === pattern);
}

/** `--no-x` after `--x` takes it back. */
function hasOption(command: SimpleCommand, wanted: Option): boolean {
  const negated = wanted.name.startsWith('--') ? `--no-${wanted.name.slice(2)}` : null;
  const last = command.options.findLast(
    ({ name }) => name === wanted.name || name === negated || bundles(name, wanted.name),
  );
  if (last === undefined || last.name === negated) return false;
  return (
    wanted.value === null || (last.value !== null && matcher(wanted.value.template)(last.value.template))
  );
}

/** Of programs we do not know, `-xf` may be `-x -f`. */
function bundles(written: string, wanted: string): boolean {
  if (!/^-[A-Za-z]{2,}$/.test(written) || !/^-[A-Za-z]+$/.test(wanted)) return false;
  return [...wanted.slice(1)].every((letter) => written.includes(letter));
}

function inOrder(wanted: readonly ((text: string) => boolean)[], operands: readonly Word[]): boolean {
  let at = 0;
  for (const matches of wanted) {
    while (at < operands.length && !matches(operands[at]?.template ?? '')) at++;
    if (at++ >= operands.length) return false;
  }
  return true;
}
