import { ExpressionParser } from './expressions.ts';
import type { Expression, Redirection, Stage, Statement } from './nodes.ts';

const ASSIGNS = /(?:[-+*/%]|\?\?)?=(?!=)/y;

const REDIRECTION = /(?:[1-6*])?>>?(?:&[12])?/y;

const CALL = /[&.](?=[\s$("'{])/y;

/** What only an expression can begin with. */
const VALUE_START =
  /[$("'@[{,!]|-(?:not|bnot|[ci]?split|join)(?!\w)|\+\+|--(?=\$)|[-+](?=[\d$(.])|(?:0x[\da-f]+|\d[\d.]*(?:[kmgtp]b|[dlu])?)(?=\s|$|[;|)},+*/%-]|\.\.)/iy;

const AMPERSAND = /&(?=\S)/y;

const VERBATIM = /--%[^\S\r\n]/y;

const REST = /[^\r\n|]*/y;

const bare = (text: string): Expression => ({ kind: 'text', parts: [text], bare: true });

/** Pipelines and the commands in them. */
export abstract class PipelineParser extends ExpressionParser {
  abstract statement(): Statement;

  /** Pipelines in sequence. */
  chain(): Statement {
    const items = [this.pipeline()];
    for (;;) {
      this.spaces();
      if (!this.take('&&') && !this.take('||')) break;
      this.lines();
      items.push(this.statement());
    }
    return items.length === 1 && items[0] ? items[0] : { kind: 'sequence', items };
  }

  private pipeline(): Statement {
    const first = this.stage();
    this.spaces();
    if (first.kind === 'value') {
      const operator = this.match(ASSIGNS);
      if (operator !== null) {
        this.lines();
        return { kind: 'assignment', target: first.value, operator, value: this.statement() };
      }
    }
    const stages = [first];
    for (;;) {
      const before = this.at;
      // The next stage may follow on the next line, after comments.
      this.lines();
      if (this.sees('||') || !this.take('|')) {
        this.at = before;
        return { kind: 'pipeline', stages };
      }
      this.lines();
      const next = this.stage();
      // A plain value may only be the first stage.
      if (next.kind === 'value') this.fail();
      stages.push(next);
    }
  }

  private stage(): Stage {
    this.spaces();
    const call = this.match(CALL) ?? (this.next === '&' && !this.sees('&&') ? this.match(AMPERSAND) : null);
    if (call !== null) return this.command(call.trim());
    if (this.peek(VALUE_START) === null) return this.command('');
    const value = this.expression();
    const redirections: Redirection[] = [];
    while (this.redirection(redirections)) this.spaces();
    if (!this.stageEnds && this.peek(ASSIGNS) === null) this.fail();
    return { kind: 'value', value, redirections };
  }

  private get stageEnds(): boolean {
    this.spaces();
    return this.isDone || /[;|\r\n})&]/.test(this.next);
  }

  private command(call: string): Stage {
    const words: Expression[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      if (this.stageEnds) break;
      if (this.redirection(redirections)) continue;
      if (words.length > 0 && this.match(VERBATIM) !== null) {
        words.push(...(this.match(REST) ?? '').split(/\s+/).filter(Boolean).map(bare));
        continue;
      }
      words.push(this.argument());
    }
    if (words.length === 0) this.fail();
    return { kind: 'command', call, words, redirections };
  }

  private redirection(found: Redirection[]): boolean {
    const operator = this.match(REDIRECTION);
    if (operator === null) return false;
    if (operator.includes('&')) return true;
    this.spaces();
    found.push({ operator, target: this.argument() });
    return true;
  }

  /** A word of a command, or several with commas. */
  argument(): Expression {
    const items = [this.word()];
    for (;;) {
      const before = this.at;
      this.spaces();
      if (!this.take(',')) {
        this.at = before;
        return items.length === 1 && items[0] ? items[0] : { kind: 'list', items };
      }
      this.lines();
      items.push(this.word());
    }
  }

  private word(): Expression {
    return this.deeper(() => {
      const { next } = this;
      if (next === '(') return this.withMembers(this.group());
      if (next === '{') return this.block();
      if (next === '@' && /[({'"A-Za-z_]/.test(this.text.charAt(this.at + 1)))
        return this.withMembers(this.special());
      if (next === '$' || next === '"' || next === "'") {
        const value =
          next === '$' ? this.dollar(false) : next === '"' ? this.doubleQuoted() : this.singleQuoted();
        if (value !== null) {
          const whole = next === '$' || this.next === '.' ? this.withMembers(value) : value;
          return this.wordEnds ? whole : this.bareWord(whole);
        }
      }
      const before = this.at;
      const word = this.bareWord();
      if (this.at === before) this.fail();
      return word;
    });
  }
}
