import { UNKNOWN } from './analysis.ts';

/** Longer commands are refused unread. */
export const MAX_LENGTH = 100 * 1024;
/** Below this even the worst text is cheap to parse. */
const SHORT = 2048;
const MAX_HEREDOCS = 64;
const MAX_OPERATORS = 6000;

/** Why a command may not even be parsed; null when it may. */
export function refuse(command: string): string | null {
  if (command.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  if (/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(command)) return 'control characters';
  if (command.includes(UNKNOWN)) return 'a private-use character that stands for unknown text';
  return command.length > SHORT ? tooDense(command) : null;
}

/**
 * The parser is quadratic in the number of here-documents and slow on long runs of operators (measured: 25,000 `<<`
 * take 1.3 s), so both are counted first. Bodies of here-documents are data and may hold anything.
 */
function tooDense(command: string): string | null {
  let heredocs = 0;
  let operators = 0;
  const pending: string[] = [];
  for (let i = 0; i < command.length; i++) {
    const code = command.charCodeAt(i);
    if (code === 10 && pending.length > 0) {
      for (const delimiter of pending.splice(0)) i = endOfBody(command, i, delimiter);
      operators++;
    } else if (code === 60 && command.charCodeAt(i + 1) === 60) {
      if (++heredocs > MAX_HEREDOCS) return 'too many here-documents';
      const delimiter = delimiterAt(command, i + 2);
      if (delimiter !== null) pending.push(delimiter);
      i++;
    } else if (code < 128 && OPERATOR[code] === 1 && ++operators > MAX_OPERATORS) {
      return 'too many operators';
    }
  }
  return null;
}

const OPERATOR = new Uint8Array(128);
for (const character of '\n;&|(){}$`<>[]"\'\\!') OPERATOR[character.charCodeAt(0)] = 1;

const DELIMITER = /-?[ \t]*(?:'([^'\n]{1,80})'|"([^"\n]{1,80})"|\\?([\w.-]{1,80}))/y;

function delimiterAt(command: string, at: number): string | null {
  DELIMITER.lastIndex = at;
  const found = DELIMITER.exec(command);
  return found ? (found[1] ?? found[2] ?? found[3] ?? null) : null;
}

/** The last index of the closing line, or the newline itself when the body is never closed: then it is counted. */
function endOfBody(command: string, newline: number, delimiter: string): number {
  let at = newline;
  for (;;) {
    at = command.indexOf(delimiter, at + 1);
    if (at < 0) return newline;
    const after = command.charCodeAt(at + delimiter.length);
    if (
      (after === 10 || Number.isNaN(after)) &&
      command.slice(command.lastIndexOf('\n', at) + 1, at).trim() === ''
    ) {
      return at + delimiter.length - 1;
    }
  }
}
