import { isShell } from '../../../model/shells.ts';
/**
 * The command that the model asked for, out of the line that the server shows: `/bin/bash -lc 'echo x'` is `echo x`.
 * Hooks get the former without the shell around it, and rules are to mean the same on both.
 */
export function askedCommand(shown: string): string {
  const words = quotedWords(shown);
  const [shell = '', flag = '', script] = words ?? [];
  const wrapped = words?.length === 3 && isShell(shell) && /^-l?c$/.test(flag);
  return wrapped && script !== undefined ? script : shown;
}

/** The words of a line that was put together by quoting each; null when a quote has no end. */
export function quotedWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1) return null;
      word = (word ?? '') + line.slice(at + 1, end);
      at = end;
    } else if (char === '"') {
      const quoted = doubleQuoted(line, at + 1);
      if (quoted === null) return null;
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (char === '\\') {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

function doubleQuoted(line: string, from: number): { readonly text: string; readonly end: number } | null {
  let text = '';
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    if (char === '"') return { text, end: at };
    const next = line.charAt(at + 1);
    // In double quotes a backslash only takes the meaning from these.
    if (char === '\\' && ['"', '\\', '$', '`'].includes(next)) {
      text += next;
      at += 1;
    } else {
      text += char;
    }
  }
  return null;
}
