import type { Expression, Statement } from './nodes.ts';
import { Scanner } from './scanner.ts';

const VARIABLE = /\$(?:(\w+:)?[A-Za-z_]\w*(?::\w+)?|[$?^_]|\d+)/y;
const BRACED = /\$\{[^}]*\}/y;
/** Where a bare word ends. */
const WORD_END = /[\s;|&(){},<>'"]/;

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '',
  b: '',
  e: '',
  f: '',
  v: '',
};

/** Texts and variables. */
export abstract class TextScanner extends Scanner {
  abstract statements(end: string): readonly Statement[];

  /** A variable or `$( … )` here; null if the dollar is plain text. */
  dollar(inText: boolean): Expression | null {
    if (this.take('$(')) return { kind: 'group', body: this.deeper(() => this.statements(')')) };
    const braced = this.match(BRACED);
    if (braced !== null) return variable(braced.slice(2, -1));
    const found = this.match(VARIABLE);
    if (found === null) return null;
    // `"$name: x"`: neither a drive nor a scope.
    const name = inText && !/:\w/.test(found) ? found.replace(/:$/, '') : found;
    return variable(name.slice(1));
  }

  /** `'…'`, with `''` for a quote. */
  singleQuoted(): Expression {
    this.expect("'");
    let value = '';
    for (;;) {
      const end = this.text.indexOf("'", this.at);
      if (end < 0) this.fail();
      value += this.text.slice(this.at, end);
      this.at = end + 1;
      if (!this.take("'")) return literalText(value);
      value += "'";
    }
  }

  doubleQuoted(): Expression {
    this.expect('"');
    return this.expanded(() => {
      if (!this.take('"')) return null;
      return this.take('"') ? '"' : '';
    });
  }

  /** `@'` and `@"`, each on separate lines. */
  hereText(): Expression {
    const quote = this.text.charAt(this.at + 1);
    if (this.match(HERE_START) === null) this.fail();
    const close = new RegExp(`(?:^|\\r?\\n)${quote}@`, 'g');
    close.lastIndex = this.at;
    const empty = this.sees(`${quote}@`);
    const found = empty ? null : close.exec(this.text);
    if (!empty && found === null) this.fail();
    const end = found?.index ?? this.at;
    const after = end + (found?.[0].length ?? 2);
    if (quote === "'") {
      const value = this.text.slice(this.at, end);
      this.at = after;
      return literalText(value);
    }
    const value = this.expanded(() => (this.at >= end ? '' : null));
    this.at = after;
    return value;
  }

  /** Text with variables replaced. `ends` returns `''` at its end, and otherwise any text that stands for itself. */
  private expanded(ends: () => string | null): Expression {
    const parts: (string | Expression)[] = [];
    let plain = '';
    for (;;) {
      const end = ends();
      if (end === '') break;
      if (this.isDone) this.fail();
      if (end !== null) plain += end;
      else if (this.next === '`') plain += this.escaped();
      else {
        const value = this.next === '$' ? this.dollar(true) : null;
        if (value === null) plain += this.text.charAt(this.at++);
        else {
          parts.push(plain, value);
          plain = '';
        }
      }
    }
    return { kind: 'text', parts: [...parts, plain].filter((part) => part !== ''), bare: false };
  }

  private escaped(): string {
    const character = this.text.charAt(this.at + 1);
    this.at += 2;
    if (character === 'u' && this.sees('{')) {
      const code = /^\{([\da-f]{1,6})\}/i.exec(this.text.slice(this.at, this.at + 8));
      if (!code) this.fail();
      this.at += code[0].length;
      return String.fromCodePoint(Math.min(Number.parseInt(code[1] ?? '0', 16), 0x10ffff));
    }
    return ESCAPES[character] ?? character;
  }

  /** The rest of a word, after what has been read of it. */
  bareWord(first: Expression | null = null): Expression {
    const parts: (string | Expression)[] = first === null ? [] : [first];
    let plain = '';
    const flush = (value: Expression) => {
      parts.push(plain, value);
      plain = '';
    };
    while (!this.isDone) {
      const { next } = this;
      if (next === "'") flush(this.singleQuoted());
      else if (next === '"') flush(this.doubleQuoted());
      else if (WORD_END.test(next)) break;
      else if (next === '`') {
        if (/^`\r?\n/.test(this.text.slice(this.at, this.at + 3))) break;
        plain += this.escaped();
      } else {
        const value = next === '$' ? this.dollar(false) : null;
        if (value !== null) flush(value);
        else plain += this.text.charAt(this.at++);
      }
    }
    const bare = parts.every((part) => typeof part === 'string' || part.kind !== 'text');
    return { kind: 'text', parts: [...parts, plain].filter((part) => part !== ''), bare };
  }

  /** True if a word ends here. */
  get wordEnds(): boolean {
    return this.isDone || WORD_END.test(this.next) || this.sees('`\n') || this.sees('`\r');
  }
}

const HERE_START = /@['"][^\S\r\n]*\r?\n/y;

export function literalText(value: string): Expression {
  return { kind: 'text', parts: [value], bare: false };
}

function variable(name: string): Expression {
  return { kind: 'variable', name: name.toLowerCase(), splat: false };
}
