import type { Expression, Parameter } from './nodes.ts';
import { literalText, TextScanner } from './texts.ts';

const NUMBER = /(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:[dlu]|[kmgtp]b)*(?![\w\\/:.-])/iy;
/** `1..5`: the dots are an operator. */
const RANGE_START = /\d+(?=\.\.)/y;
const OPERATOR =
  /-(?:[ci]?(?:eq|ne|g[te]|l[te]|like|notlike|match|notmatch|replace|split|in|notin|contains|notcontains)|and|or|xor|band|bor|bxor|shl|shr|is|isnot|as|join|f)(?!\w)|\.\.|\?\?(?!=)|[-+*/%](?![=\w-]|\s*$)|[-+*/%](?=\w)/iy;
const UNARY = /-(?:not|bnot|[ci]?split|join)(?!\w)|!|\+\+|--|[-+](?=[\s\d$(.])/iy;
const TYPE = /\[[A-Za-z_][\w.]*(?:`\d+)?(?:\[[\w.,[\]\s]*\])*\]/y;
const MEMBER = /[A-Za-z_]\w*/y;
const ACCESS = /\??\.(?=[A-Za-z_$("'])|::/y;

/** Values and operators. Precedence doesn't matter for effects. */
export abstract class ExpressionParser extends TextScanner {
  abstract parameters(): readonly Parameter[];

  expression(): Expression {
    return this.deeper(() => {
      let left = this.list();
      for (;;) {
        this.spaces();
        const operator = this.match(OPERATOR);
        if (operator === null) break;
        this.lines();
        left = { kind: 'operation', operator: operator.toLowerCase(), operands: [left, this.list()] };
      }
      if (this.sees('?') && /\s/.test(this.text.charAt(this.at + 1))) return this.ternary(left);
      return left;
    });
  }

  private ternary(test: Expression): Expression {
    this.expect('?');
    this.lines();
    const yes = this.expression();
    this.lines();
    this.expect(':');
    this.lines();
    return { kind: 'operation', operator: '?', operands: [test, yes, this.expression()] };
  }

  private list(): Expression {
    this.spaces();
    if (this.take(',')) {
      this.lines();
      return { kind: 'list', items: [this.unary()] };
    }
    const items = [this.unary()];
    for (;;) {
      const before = this.at;
      this.spaces();
      if (!this.take(',')) {
        this.at = before;
        break;
      }
      this.lines();
      items.push(this.unary());
    }
    return items.length === 1 && items[0] ? items[0] : { kind: 'list', items };
  }

  private unary(): Expression {
    this.part();
    this.spaces();
    const operator = this.match(UNARY);
    if (operator !== null) {
      const operand = this.deeper(() => this.unary());
      return { kind: 'operation', operator: operator.toLowerCase(), operands: [operand] };
    }
    return this.withMembers(this.primary());
  }

  /** One value, in an expression. */
  private primary(): Expression {
    const { next } = this;
    if (next === '$') return this.dollar(false) ?? this.fail();
    if (next === "'") return this.singleQuoted();
    if (next === '"') return this.doubleQuoted();
    if (next === '(') return this.group();
    if (next === '{') return this.block();
    if (next === '@') return this.special();
    if (next === '[') return this.typed();
    const number = this.match(RANGE_START) ?? this.match(NUMBER);
    return number === null ? this.fail() : literalText(number);
  }

  group(): Expression {
    this.expect('(');
    return { kind: 'group', body: this.deeper(() => this.statements(')')) };
  }

  block(): Expression {
    this.expect('{');
    return this.deeper(() => {
      this.separators();
      const parameters = this.parameters();
      return { kind: 'block', body: this.statements('}'), parameters };
    });
  }

  /** `@(`, `@{`, `@'`, `@"` and `@name`. */
  special(): Expression {
    if (this.take('@(')) return { kind: 'group', body: this.deeper(() => this.statements(')')) };
    if (this.take('@{')) return this.deeper(() => this.table());
    if (this.sees("@'") || this.sees('@"')) return this.hereText();
    this.expect('@');
    return { kind: 'variable', name: this.name().toLowerCase(), splat: true };
  }

  private table(): Expression {
    const entries: [Expression, ReturnType<typeof this.tableValue>][] = [];
    for (;;) {
      this.separators();
      if (this.take('}')) return { kind: 'table', entries };
      const name = this.match(MEMBER);
      const key = name === null ? this.withMembers(this.primary()) : literalText(name);
      this.spaces();
      this.expect('=');
      this.lines();
      entries.push([key, this.tableValue()]);
    }
  }

  abstract tableValue(): import('./nodes.ts').Statement;

  private typed(): Expression {
    const name = this.match(TYPE);
    if (name === null) this.fail();
    const before = this.at;
    this.spaces();
    const isCast = !this.sees('::') && CAST.test(this.next);
    if (!isCast) this.at = before;
    return {
      kind: 'type',
      name: name.slice(1, -1).toLowerCase(),
      of: isCast ? this.deeper(() => this.unary()) : null,
    };
  }

  /** What follows a value without a space: `.x`, `::x`, `(…)`, `[…]`. */
  withMembers(value: Expression): Expression {
    // A cast applies to everything after it.
    if (value.kind === 'type' && value.of !== null) return value;
    let of = value;
    for (;;) {
      this.part();
      const access = this.match(ACCESS);
      if (access !== null) of = this.member(of, access === '::');
      else if (this.sees('[') || this.sees('?[')) {
        this.take('?');
        this.expect('[');
        this.lines();
        const at = this.expression();
        this.lines();
        this.expect(']');
        of = { kind: 'index', of, at };
      } else if (this.sees('++') || this.sees('--')) {
        of = { kind: 'operation', operator: this.text.slice(this.at, this.at + 2), operands: [of] };
        this.at += 2;
      } else return of;
    }
  }

  private member(of: Expression, isStatic: boolean): Expression {
    this.lines();
    const plain = this.match(MEMBER);
    const name = plain === null ? this.primary() : literalText(plain);
    if (this.sees('{')) return { kind: 'member', of, name, given: [this.block()], isStatic };
    if (!this.take('(')) return { kind: 'member', of, name, given: null, isStatic };
    const given: Expression[] = [];
    this.lines();
    while (!this.take(')')) {
      given.push(this.expressionAlone());
      this.lines();
      if (!this.take(',') && !this.sees(')')) this.fail();
      this.lines();
    }
    return { kind: 'member', of, name, given, isStatic };
  }

  /** One of several comma-separated values. */
  expressionAlone(): Expression {
    return this.deeper(() => {
      let left = this.unary();
      for (;;) {
        this.spaces();
        const operator = this.match(OPERATOR);
        if (operator === null) return left;
        this.lines();
        left = { kind: 'operation', operator: operator.toLowerCase(), operands: [left, this.unary()] };
      }
    });
  }
}

/** What a cast may apply to: a value, another type, or a number. */
const CAST = /[$("'@[\d{-]/;
