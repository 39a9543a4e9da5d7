import type { Expression, Parameter, Statement } from './nodes.ts';
import { PipelineParser } from './pipelines.ts';
import { NOT_READ } from './scanner.ts';

const KEYWORD = /[A-Za-z]+(?=$|[\s({;}])/y;
const LABEL = /:\w+\s+(?=(?:foreach|for|while|do|switch)\b)/iy;
const ATTRIBUTE = /\[[A-Za-z_][\w.]*\s*\((?:[^()'"]|'[^']*'|"[^"]*"|\([^()]*\))*\)\]/y;
const PLAIN_TYPE = /\[[A-Za-z_][\w.]*(?:\[[\w.,[\]\s]*\])*\]/y;
const FUNCTION_NAME = /[\w:.?%-]+/y;
const SWITCHES = /-(?:regex|wildcard|exact|casesensitive|parallel|file)(?!\w)/iy;

/** Parses a text into statements; null if it can't be understood. */
export function parsePowerShell(text: string): readonly Statement[] | null {
  const parser = new Parser(withPlainQuotes(text));
  try {
    return parser.statements('');
  } catch (problem) {
    if (problem === NOT_READ) return null;
    throw problem;
  }
}

/** PowerShell treats typographic quotes and dashes like the plain ones. */
function withPlainQuotes(text: string): string {
  return text
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201e]/g, '"')
    .replace(/[\u2013-\u2015]/g, '-');
}

class Parser extends PipelineParser {
  statements(end: string): readonly Statement[] {
    const found: Statement[] = [];
    for (;;) {
      this.separators();
      if (this.isDone) return end === '' ? found : this.fail();
      if (end !== '' && this.take(end)) return found;
      const before = this.at;
      found.push(this.deeper(() => this.statement()));
      // `x &` runs in the background.
      this.spaces();
      if (this.sees('&') && !this.sees('&&')) this.at++;
      if (this.at === before) this.fail();
    }
  }

  private body(): readonly Statement[] {
    this.lines();
    this.expect('{');
    return this.deeper(() => this.statements('}'));
  }

  private test(): Statement {
    this.lines();
    this.expect('(');
    return { kind: 'sequence', items: this.deeper(() => this.statements(')')) };
  }

  tableValue(): Statement {
    return this.statement();
  }

  statement(): Statement {
    this.match(LABEL);
    while (this.match(ATTRIBUTE) !== null) this.lines();
    const before = this.at;
    const keyword = this.match(KEYWORD)?.toLowerCase() ?? '';
    if (keyword === 'param') {
      this.at = before;
      return this.ownParameters();
    }
    const found = this.structure(keyword);
    if (found !== null) return found;
    this.at = before;
    return this.chain();
  }

  private structure(keyword: string): Statement | null {
    this.spaces();
    switch (keyword) {
      case 'if':
        return this.sees('(') ? this.condition() : null;
      case 'foreach':
        return this.sees('(') || this.peek(SWITCHES) ? this.forEach() : null;
      case 'while':
        return { kind: 'loop', tests: [this.test()], body: this.body() };
      case 'for':
        return { kind: 'loop', tests: [this.test()], body: this.body() };
      case 'do':
        return this.doLoop();
      case 'switch':
        return this.choice();
      case 'try':
        return this.attempt();
      case 'trap':
        this.match(PLAIN_TYPE);
        return { kind: 'branch', tests: [], arms: [this.body()], about: null };
      case 'function':
      case 'filter':
        return this.definition();
      case 'begin':
      case 'process':
      case 'end':
        return this.sees('{') ? { kind: 'sequence', items: this.body() } : null;
      case 'return':
      case 'throw':
      case 'exit':
      case 'break':
      case 'continue':
        return { kind: 'leave', value: this.statementEnds ? null : this.chain() };
      case 'using':
        return this.match(USING) === null ? this.fail() : { kind: 'sequence', items: [] };
      case 'class':
      case 'enum':
      case 'workflow':
      case 'configuration':
      case 'data':
        return this.fail();
      default:
        return null;
    }
  }

  private get statementEnds(): boolean {
    this.spaces();
    return this.isDone || /[;\r\n})]/.test(this.next);
  }

  private condition(): Statement {
    const tests = [this.test()];
    const arms = [this.body()];
    for (;;) {
      const before = this.at;
      this.lines();
      const keyword = this.match(KEYWORD)?.toLowerCase();
      if (keyword === 'elseif') tests.push(this.test());
      else if (keyword !== 'else') {
        this.at = before;
        return { kind: 'branch', tests, arms, about: null };
      }
      arms.push(this.body());
    }
  }

  private forEach(): Statement {
    while (this.match(SWITCHES) !== null) this.spaces();
    this.expect('(');
    this.spaces();
    this.match(PLAIN_TYPE);
    const variable = this.dollar(false);
    this.lines();
    if (variable?.kind !== 'variable' || !/^in$/i.test(this.name())) this.fail();
    const list: Statement = { kind: 'sequence', items: this.deeper(() => this.statements(')')) };
    return { kind: 'foreach', name: variable.name, list, body: this.body() };
  }

  private doLoop(): Statement {
    const body = this.body();
    this.lines();
    if (!/^(?:while|until)$/i.test(this.name())) this.fail();
    return { kind: 'loop', tests: [this.test()], body };
  }

  private choice(): Statement {
    while (this.match(SWITCHES) !== null) this.spaces();
    const about = this.test();
    const tests: Statement[] = [];
    const arms: (readonly Statement[])[] = [];
    this.lines();
    this.expect('{');
    for (;;) {
      this.separators();
      if (this.take('}')) return { kind: 'branch', tests, arms, about };
      const label = this.argument();
      if (label.kind === 'block') arms.push(label.body);
      else tests.push({ kind: 'pipeline', stages: [{ kind: 'value', value: label, redirections: [] }] });
      arms.push(this.body());
    }
  }

  private attempt(): Statement {
    const items: Statement[] = [...this.body()];
    const arms: (readonly Statement[])[] = [];
    for (;;) {
      const before = this.at;
      this.lines();
      const keyword = this.match(KEYWORD)?.toLowerCase();
      this.spaces();
      if (keyword === 'catch') while (this.match(PLAIN_TYPE) !== null || this.take(',')) this.spaces();
      else if (keyword !== 'finally') {
        this.at = before;
        return {
          kind: 'sequence',
          items: [...items, { kind: 'branch', tests: [], arms, about: null }],
        };
      }
      arms.push(this.body());
    }
  }

  private definition(): Statement {
    const name = this.match(FUNCTION_NAME);
    if (name === null) this.fail();
    this.spaces();
    const given = this.sees('(') ? this.parameterList() : [];
    this.lines();
    this.expect('{');
    return this.deeper(() => {
      this.separators();
      const parameters = [...given, ...this.parameters()];
      const body = this.statements('}');
      return { kind: 'function', name: name.replace(/^\w+:/, '').toLowerCase(), parameters, body };
    });
  }

  /** `param( … )` at the start of a block, with its attributes. */
  parameters(): readonly Parameter[] {
    const before = this.at;
    while (this.match(ATTRIBUTE) !== null) this.separators();
    if (this.peek(PARAM) !== null) {
      this.match(PARAM);
      return this.parameterList();
    }
    this.at = before;
    return [];
  }

  /** A script's own parameters: passed, or their defaults. */
  private ownParameters(): Statement {
    const items = this.parameters().map(
      ({ name, value }): Statement => ({
        kind: 'assignment',
        target: { kind: 'variable', name, splat: false },
        operator: '=',
        value: { kind: 'pipeline', stages: [{ kind: 'value', value: value ?? UNGIVEN, redirections: [] }] },
      }),
    );
    return { kind: 'sequence', items };
  }

  private parameterList(): readonly Parameter[] {
    const found: Parameter[] = [];
    this.expect('(');
    for (;;) {
      this.lines();
      if (this.take(')')) return found;
      while (this.match(ATTRIBUTE) !== null || this.match(PLAIN_TYPE) !== null) this.lines();
      const variable = this.dollar(false);
      if (variable?.kind !== 'variable') this.fail();
      this.lines();
      let value: Expression | null = null;
      if (this.take('=')) {
        this.lines();
        value = this.expressionAlone();
      }
      found.push({ name: variable.name, value });
      this.lines();
      if (!this.take(',') && !this.sees(')')) this.fail();
    }
  }
}

const USING = /(?:namespace|assembly)\s+[\w.'"]+/iy;
const PARAM = /param(?=\s*\()\s*/iy;

/** The unknown arguments of a script. */
const UNGIVEN: Expression = { kind: 'variable', name: 'args', splat: false };
