import { type Cursor, closing, isSign, type Reading, spend } from './cursor.ts';
import type { Token } from './tokens.ts';

const OPENERS =
  /^(?:do|def|defp|defmodule|class|module|case|begin|for|while|until|if|unless|function|fn|let|struct|quote|try)$/;
/** After a statement, these words are modifiers of it. */
const MODIFIERS = /^(?:if|unless|while|until)$/;

/** Position of the `end` that closes the block begun before `from`. */
export function endOfWords(reading: Reading, cursor: Cursor, from: number): number {
  const { tokens, to } = cursor;
  let depth = 1;
  let isFirst = true;
  let waitsForDo = false;
  let at = from;
  for (; at < to; at++) {
    const token = tokens.list[at];
    if (token?.kind === 'line' || isSign(token, ';')) {
      isFirst = true;
      waitsForDo = false;
      continue;
    }
    if (isSign(token, '(') || isSign(token, '[') || isSign(token, '{')) at = closing(cursor, at);
    else if (token?.kind === 'name' && !isMember(tokens.list[at - 1])) {
      if (token.text === 'end' && --depth === 0) break;
      if (
        OPENERS.test(token.text) &&
        (isFirst || !MODIFIERS.test(token.text)) &&
        !(token.text === 'do' && waitsForDo)
      )
        depth++;
      if (isFirst && /^(?:while|until|for)$/.test(token.text)) waitsForDo = true;
    }
    isFirst = isSign(token, '=');
  }
  spend(reading, (at - from) >> 3);
  return at;
}

const isMember = (before: Token | undefined): boolean => isSign(before, '.') || isSign(before, '&.');

/** End of the lines that are indented further than the one before them; `from` is after the colon. */
function endOfIndented(reading: Reading, cursor: Cursor, from: number, indent: number): number {
  const { tokens, to } = cursor;
  const isOneLine = tokens.list[from]?.kind !== 'line';
  let at = from;
  for (; at < to; at++) {
    const token = tokens.list[at];
    if (token?.kind === 'line' && (isOneLine || (token.indent ?? 0) <= indent)) break;
    if (token?.kind === 'sign' && '([{'.includes(token.text)) at = closing(cursor, at);
  }
  spend(reading, (at - from) >> 3);
  return Math.min(at, to);
}

/** Range of the body of a loop or function whose head ends here, and where the next statement begins. */
export function blockAt(
  reading: Reading,
  cursor: Cursor,
  at: number,
): { from: number; to: number; end: number } {
  const { list } = cursor.tokens;
  const { blocks } = reading.language;
  if (blocks === 'indent') {
    const from = isSign(list[at], ':') ? at + 1 : at;
    const to = endOfIndented(reading, cursor, from, reading.indent);
    return { from, to, end: to };
  }
  if (blocks === 'end') {
    const to = endOfWords(reading, cursor, at);
    return { from: at, to, end: Math.min(to + 1, cursor.to) };
  }
  let open = at;
  while (list[open]?.kind === 'line') open++;
  if (isSign(list[open], '{')) {
    const to = closing(cursor, open);
    return { from: open + 1, to, end: Math.min(to + 1, cursor.to) };
  }
  // A single statement without braces.
  let to = open;
  for (; to < cursor.to && list[to]?.kind !== 'line' && !isSign(list[to], ';'); to++)
    if (isSign(list[to], '(') || isSign(list[to], '[') || isSign(list[to], '{')) to = closing(cursor, to);
  spend(reading, (to - open) >> 3);
  return { from: open, to, end: to };
}
