import { UNKNOWN } from '../analysis.ts';
import type { Reentry } from '../reentry.ts';
import type { Walk } from '../walk.ts';
import { runCode } from './argv.ts';
import { runCommand } from './commands.ts';
import { valueIn } from './expression-values.ts';
import type { Expression, Redirection, Stage, Statement } from './nodes.ts';
import { parsePowerShell } from './parse.ts';
import { Scope } from './scope.ts';
import { staticProperty } from './static-calls.ts';
import { type Block, concatenated, NOTHING, textOf, textValue, union, type Value } from './values.ts';

/** Evaluates statements as far as their effects can be known, and returns what they print. */
export class Evaluation {
  readonly walk: Walk;
  readonly reentry: Reentry;
  readonly scope: Scope;

  private texts = 0;
  /** Directories that `Pop-Location` returns to. */
  readonly folders: (string | null)[] = [];

  constructor(walk: Walk, reentry: Reentry) {
    this.walk = walk;
    this.reentry = reentry;
    this.scope = new Scope();
  }

  /** Runs a text; false if it can't be understood. */
  text(text: string): boolean {
    this.walk.read(text.length);
    const statements = ++this.texts > MAX_TEXTS ? null : parsePowerShell(text);
    if (statements === null) {
      this.walk.fail('powershell: not analysed');
      return false;
    }
    this.walk.enter();
    this.statements(statements);
    this.walk.leave();
    return true;
  }

  statements(body: readonly Statement[], input: Value = NOTHING): Value {
    return union(NOTHING, ...body.map((statement) => this.statement(statement, input)));
  }

  statement(statement: Statement, input: Value): Value {
    this.walk.step();
    switch (statement.kind) {
      case 'pipeline':
        return this.pipeline(statement.stages, input);
      case 'assignment':
        this.assign(statement);
        return NOTHING;
      case 'sequence':
        return this.statements(statement.items, input);
      case 'branch':
        return this.branch(statement);
      case 'loop':
        return this.loop(statement);
      case 'foreach':
        return this.forEach(statement);
      case 'function':
        this.scope.functions.set(statement.name, statement);
        return NOTHING;
      case 'leave':
        return statement.value === null ? NOTHING : this.statement(statement.value, input);
    }
  }

  private assign({ target, operator, value }: Extract<Statement, { kind: 'assignment' }>): void {
    const given = this.statement(value, NOTHING);
    const before = operator === '=' ? null : this.value(target);
    const next =
      before === null
        ? given
        : operator === '+='
          ? union(before, concatenated([before, given]))
          : union(before, given);
    this.store(target, next);
  }

  private store(target: Expression, value: Value): void {
    if (target.kind === 'list') for (const item of target.items) this.store(item, value);
    else if (target.kind === 'type' && target.of !== null) this.store(target.of, value);
    else if (target.kind === 'variable') this.setVariable(target.name, value);
    else if (target.kind === 'member' && target.isStatic) staticProperty(this, target, value);
    else if (target.kind === 'member' || target.kind === 'index') this.value(target.of);
    else this.walk.fail('powershell: what is assigned to is not known');
  }

  setVariable(name: string, value: Value): void {
    if (name.startsWith('env:')) this.run('export', [`${name.slice(4).toUpperCase()}=${textOf(value)}`]);
    else if (name.startsWith('function:') || name.startsWith('alias:'))
      this.walk.fail('powershell: a name is made to mean something else');
    else
      this.scope.variables.set(name.replace(/^(?:global|script|local|private|using|variable):/, ''), value);
  }

  /** Runs a command whose words are all known. */
  run(name: string, words: readonly string[], input: Value = NOTHING): Value {
    return runCommand(
      this,
      name,
      words.map((word) => textValue(word)),
      input,
    );
  }

  private branch({ tests, arms, about }: Extract<Statement, { kind: 'branch' }>): Value {
    const what = about === null ? NOTHING : this.statement(about, NOTHING);
    for (const test of tests) this.statement(test, NOTHING);
    const printed: Value[] = [NOTHING];
    this.walk.store.weak++;
    for (const arm of arms)
      this.scope.maybe(() => {
        if (about !== null) this.scope.variables.set('_', what);
        printed.push(this.statements(arm));
      });
    this.walk.store.weak--;
    return union(...printed);
  }

  /** Walks the body again if a second iteration may behave differently. */
  private loop({ tests, body }: Extract<Statement, { kind: 'loop' }>): Value {
    let printed = NOTHING;
    const turn = () => {
      for (const test of tests) this.statement(test, NOTHING);
      printed = union(printed, this.statements(body));
    };
    this.repeatedly(turn);
    return printed;
  }

  repeatedly(turn: () => void): void {
    this.walk.store.weak++;
    this.walk.loops++;
    if (this.scope.maybe(turn) && this.walk.loops < MAX_LOOPS) this.scope.maybe(turn);
    this.walk.loops--;
    this.walk.store.weak--;
  }

  private forEach({ name, list, body }: Extract<Statement, { kind: 'foreach' }>): Value {
    const items = this.statement(list, NOTHING);
    let printed = NOTHING;
    this.repeatedly(() => {
      this.scope.variables.set(name, { ...items, table: null });
      printed = union(printed, this.statements(body));
    });
    return printed;
  }

  private pipeline(stages: readonly Stage[], input: Value): Value {
    let piped = input;
    for (const stage of stages) {
      this.walk.step();
      const output = stage.kind === 'value' ? this.value(stage.value) : this.command(stage, piped);
      piped = this.redirected(stage.redirections, output);
    }
    return piped;
  }

  private redirected(redirections: readonly Redirection[], output: Value): Value {
    let left = output;
    for (const { operator, target } of redirections) {
      const file = this.value(target);
      if (/^(?:\$null|nul)$/i.test(textOf(file)) || file.items.length === 0) continue;
      const words = [file, ...(operator.endsWith('>>') ? [textValue('-Append')] : [])];
      runCommand(this, 'out-file', words, output);
      if (!/^[2-6]/.test(operator)) left = NOTHING;
    }
    return left;
  }

  private command({ call, words }: Extract<Stage, { kind: 'command' }>, input: Value): Value {
    const [first, ...rest] = words;
    if (first === undefined) return NOTHING;
    const name = this.value(first);
    const given = rest.flatMap((word) => this.argument(word));
    if (name.blocks.length > 0 || name.isCode) return this.invoke(name, given, input);
    return union(
      NOTHING,
      ...(name.items.length === 0 ? [UNKNOWN] : name.items).map((item) =>
        runCommand(this, item, given, input, { call, isPath: first.kind !== 'text' || !first.bare }),
      ),
    );
  }

  /** A list counts as one argument; a splatted table, `@table`, as parameters. */
  private argument(word: Expression): readonly Value[] {
    const value = this.value(word);
    if (word.kind !== 'variable' || !word.splat) return [value];
    if (value.table === null)
      return [{ ...value, items: value.items.length === 0 ? [UNKNOWN] : value.items }];
    return [...value.table].flatMap(([name, one]) =>
      /^\$?true$/i.test(textOf(one)) ? [textValue(`-${name}`)] : [textValue(`-${name}`), one],
    );
  }

  /** Calls blocks, and code that was turned into a block. */
  invoke(callee: Value, given: readonly Value[], input: Value): Value {
    const printed = callee.blocks.map((block) => this.block(block, given, input));
    if (callee.isCode) printed.push(runCode(this, callee));
    return union(NOTHING, ...printed);
  }

  block({ body, parameters }: Block, given: readonly Value[], input: Value): Value {
    this.walk.enter();
    this.bind(parameters, given);
    const before = this.scope.variables.get('_');
    if (input !== NOTHING) this.scope.variables.set('_', input);
    const printed = this.statements(body, NOTHING);
    if (before === undefined) this.scope.variables.delete('_');
    else this.scope.variables.set('_', before);
    this.walk.leave();
    return printed;
  }

  /** Sets each parameter to the union of all arguments: names are not matched. */
  bind(
    parameters: readonly { readonly name: string; readonly value: Expression | null }[],
    given: readonly Value[],
  ): void {
    const { variables } = this.scope;
    const all = union(NOTHING, ...given);
    variables.set('args', all);
    for (const { name, value } of parameters) {
      const preset = value === null ? [] : [this.value(value)];
      variables.set(name, given.length === 0 ? union(NOTHING, ...preset) : union(all, ...preset));
    }
  }

  value(expression: Expression): Value {
    return valueIn(this, expression);
  }
}

/** Limit of nested evaluated texts, including the outer one. */
const MAX_TEXTS = 12;
/** Deeper loops are walked once. */
const MAX_LOOPS = 3;
