import { hasUnknown } from './placeholders.ts';

/** Longer commands are rejected without parsing. */
const MAX_LENGTH: number = 1024 * 1024;
/** Below this length any text is cheap to parse. */
const SHORT = 2048;
const MAX_HEREDOCS = 2_000;
const MAX_OPERATORS = 20_000;
const MAX_WORDS = 30_000;
/** Substitutions inside quotes inside substitutions. */
const MAX_NESTING = 64;

/** Why a command is not parsed. */
interface Refusal {
  readonly reason: string;
  /** True if a shell would still run all of it. */
  readonly isTooLarge: boolean;
}

export function refuse(command: string): Refusal | null {
  const excess = excessOf(command);
  if (excess !== null) return { reason: excess, isTooLarge: true };
  const oddity = oddityOf(command);
  return oddity === null ? null : { reason: oddity, isTooLarge: false };
}

function excessOf(command: string): string | null {
  if (command.length > MAX_LENGTH) return `longer than ${MAX_LENGTH} characters`;
  return command.length > SHORT ? new Density(command).measure() : null;
}

function oddityOf(command: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  if (/[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/.test(command)) return 'control characters';
  if (/[\u202a-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/.test(command))
    return 'characters that show the text otherwise than it is run';
  return hasUnknown(command) ? 'a private-use character that stands for unknown text' : null;
}

const escapeRegex = (text: string): string => text.replace(/[^\w\s]/g, '\\$&');

/** Characters that count outside quotes, and those that also count in double quotes. */
const OPERATOR = new Uint8Array(128);
const ACTIVE = new Uint8Array(128);
for (const character of '\n;&|(){}$`<>[]!*?+') OPERATOR[character.charCodeAt(0)] = 1;
for (const character of '$`{}()') ACTIVE[character.charCodeAt(0)] = 1;

const CLOSING = 41;
/** Not a character. */
const END = -1;

const DELIMITER = /(-?)[ \t]*(?:(['"])([^'"\n]{1,80})\2|(\\?)([\w.-]{1,80}))/y;

/**
 * The parser is quadratic in the number of here-documents and slow on long runs of operators and words (measured with
 * 6.0.3: 25,000 `<<` take 1.3 s, 33,000 `if` 60 ms), so these are counted first. Quoted text is data and may hold
 * anything.
 */
class Density {
  private readonly command: string;
  private operators = 0;
  private words = 0;
  private heredocs = 0;
  private nesting = 0;
  private readonly pending: { readonly delimiter: string; readonly quoted: boolean }[] = [];
  private readonly unclosed = new Set<string>();

  constructor(command: string) {
    this.command = command;
  }

  measure(): string | null {
    this.plain(0, END);
    return this.excess();
  }

  private excess(): string | null {
    if (this.heredocs > MAX_HEREDOCS) return 'too many here-documents';
    if (this.operators > MAX_OPERATORS) return 'too many operators';
    return this.words > MAX_WORDS ? 'too many words' : null;
  }

  /** Counts unquoted text up to the closing parenthesis. */
  private plain(from: number, closing: number): number {
    const { command } = this;
    let open = 0;
    for (let i = from; i < command.length; i++) {
      const code = command.charCodeAt(i);
      if (code === closing && open-- === 0) return i;
      if (code === 40) open++;
      if (code === 32 || code === 9) this.words++;
      else if (code === 92) i = this.escaped(i);
      else if (code === 39) i = this.singleQuoted(i);
      else if (code === 34) i = this.doubleQuoted(i);
      else if (code === 35 && /\s/.test(command.charAt(i - 1) || ' ')) i = this.lineEnd(i) - 1;
      else if (code === 60 && command.charCodeAt(i + 1) === 60) i = this.heredoc(i);
      else if (code === 10 && this.pending.length > 0) i = this.bodies(i);
      else if (code < 128) this.operators += OPERATOR[code] ?? 0;
      if (this.excess() !== null) break;
    }
    return command.length;
  }

  private escaped(at: number): number {
    this.operators++;
    return at + 1;
  }

  private lineEnd(from: number): number {
    const end = this.command.indexOf('\n', from);
    return end < 0 ? this.command.length : end;
  }

  /** The closing quote, or the opening one if it is not closed, so that the text after it is counted. */
  private singleQuoted(at: number): number {
    const { command } = this;
    this.operators++;
    if (command[at - 1] !== '$') return Math.max(at, command.indexOf("'", at + 1));
    for (let i = at + 1; i < command.length; i++) {
      if (command.charCodeAt(i) === 92) i++;
      else if (command.charCodeAt(i) === 39) return i;
    }
    return at;
  }

  private doubleQuoted(at: number): number {
    const { command } = this;
    this.operators++;
    for (let i = at + 1; i < command.length; i++) {
      const code = command.charCodeAt(i);
      if (code === 92) i++;
      else if (code === 34) return i;
      else if (code === 36 && command.charCodeAt(i + 1) === 40) i = this.substitution(i);
      else if (code < 128) this.operators += ACTIVE[code] ?? 0;
    }
    return at;
  }

  /** A here-document inside counts, even with quotes in its text. */
  private substitution(at: number): number {
    this.operators += 2;
    if (this.nesting === MAX_NESTING) return at + 1;
    this.nesting++;
    const end = this.plain(at + 2, CLOSING);
    this.nesting--;
    return end;
  }

  private heredoc(at: number): number {
    this.heredocs++;
    DELIMITER.lastIndex = at + 2;
    const found = DELIMITER.exec(this.command);
    const delimiter = found?.[3] ?? found?.[5];
    if (!found || delimiter === undefined) return at + 1;
    this.pending.push({ delimiter, quoted: found[2] !== undefined || found[4] === '\\' });
    return at + 1 + found[0].length;
  }

  private bodies(newline: number): number {
    let at = newline;
    for (const { delimiter, quoted } of this.pending.splice(0)) {
      const end = this.endOfBody(at, delimiter);
      for (let i = at; !quoted && i < end; i++) {
        const code = this.command.charCodeAt(i);
        if (code === 36 || code === 96) this.operators++;
      }
      at = end;
    }
    return at;
  }

  /** The last index of the closing line. Without one, stays here so that the body is counted. */
  private endOfBody(newline: number, delimiter: string): number {
    if (this.unclosed.has(delimiter)) return newline;
    const closing = new RegExp(`\\n\\t*${escapeRegex(delimiter)}(?=\\n|$)`, 'g');
    closing.lastIndex = newline;
    const found = closing.exec(this.command);
    if (found) return found.index + found[0].length - 1;
    this.unclosed.add(delimiter);
    return newline;
  }
}
