import {
  type AndOr,
  type ArithmeticFor,
  type Assignment,
  type CaseItem,
  type Command,
  type CommandNode,
  type CompoundList,
  type If,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type Statement,
  type TestExpression,
  type Word,
} from 'unbash';
import { arithmeticWord, plainWord, toWord } from './from-unbash-words.ts';
import type { AssignmentNode, Node, RedirectNode, Script, VariablePiece, WordNode } from './nodes.ts';

/** Parses a command line. Never throws: errors of the parser are in `problems`. */
export function parseScript(source: string): Script {
  return toScript(parse(source), source);
}

export function toScript(script: ParsedScript, text: string): Script {
  const { commands, errors } = script;
  return {
    items: commands.map(toStatement),
    problems: errors === undefined ? NO_PROBLEMS : errors.map((error) => error.message),
    foreign: script.source !== undefined,
    size: text.length,
    hasLines: errors !== undefined && text.trim().includes('\n'),
  };
}

const NO_PROBLEMS: readonly string[] = [];
const NO_WORDS: readonly WordNode[] = [];

function toStatement(statement: Statement): Node {
  const node = toNode(statement.command);
  return statement.background === true ? { kind: 'background', body: node } : node;
}

function toList(list: CompoundList): Node {
  return { kind: 'sequence', items: list.commands.map(toStatement) };
}

function toNode(node: CommandNode | Pipeline | AndOr | CompoundList): Node {
  switch (node.type) {
    case 'Command':
      return toSimple(node);
    case 'Pipeline': {
      const only = node.commands.length === 1 ? node.commands[0] : undefined;
      return only ? toNode(only) : { kind: 'pipeline', items: node.commands.map(toNode) };
    }
    case 'AndOr':
      return { kind: 'sequence', items: node.commands.map(toNode) };
    case 'CompoundList':
      return toList(node);
    case 'Redirected':
      return { kind: 'redirected', body: toNode(node.command), redirects: node.redirects.map(toRedirect) };
    case 'Subshell':
      return { kind: 'group', body: toList(node.body), subshell: true };
    case 'BraceGroup':
      return { kind: 'group', body: toList(node.body), subshell: false };
    case 'If':
      return toIf(node);
    case 'Case':
      return {
        kind: 'branch',
        test: null,
        arms: node.items.map((item, at) => toArm(node.word, item, node.items[at - 1]?.terminator)),
        words: [toWord(node.word), ...node.items.flatMap((item) => item.pattern.map(toWord))],
      };
    case 'While':
      return { kind: 'loop', test: toList(node.clause), body: toList(node.body), words: NO_WORDS };
    case 'ArithmeticFor':
      return { kind: 'loop', test: null, body: toList(node.body), words: loopWords(node) };
    case 'For':
    case 'Select':
      return {
        kind: 'for',
        name: node.name.value,
        words: node.wordlist ? node.wordlist.map(toWord) : null,
        body: toList(node.body),
      };
    case 'Function':
      return { kind: 'function', name: node.name.value, body: toNode(node.body) };
    case 'Coproc':
      return { kind: 'background', body: toNode(node.body) };
    case 'TestCommand':
      return { kind: 'words', words: testWords(node.expression) };
    case 'ArithmeticCommand':
      return { kind: 'words', words: node.expression ? [arithmeticWord(node.expression)] : NO_WORDS };
  }
}

const MAX_ALTERNATIVES = 8;

/** In an arm that compares a variable with plain words, the variable is one of them. */
function toArm(word: Word, item: CaseItem, before: CaseItem['terminator']): Node {
  const body = toList(item.body);
  const pieces = toWord(word).pieces.filter((piece) => piece.kind !== 'text' || piece.text !== '');
  const [subject] = pieces;
  const isVariable =
    pieces.length === 1 &&
    subject?.kind === 'variable' &&
    /^[A-Za-z_]\w*$/.test(subject.name) &&
    isPlain(subject);
  const words = item.pattern.map(toWord);
  const isLiteral = words.every(({ text, braces }) => text !== null && !braces && !/[*?[\\]/.test(text));
  // Falling through from the arm before, the variable was compared with other words.
  if (!isVariable || !isLiteral || words.length > MAX_ALTERNATIVES || before === ';&') return body;
  return { kind: 'for', name: subject.name, words, body };
}

function isPlain({ length, indirect, index, operation }: VariablePiece): boolean {
  return !length && !indirect && index === null && operation === null;
}

function toIf(node: If): Node {
  const arms: Node[] = [toList(node.then)];
  for (const elif of node.elif)
    arms.push({ kind: 'sequence', items: [toList(elif.clause), toList(elif.then)] });
  if (node.else) arms.push(toList(node.else));
  return { kind: 'branch', test: toList(node.clause), arms, words: NO_WORDS };
}

function loopWords({ initialize, test, update }: ArithmeticFor): WordNode[] {
  return [initialize, test, update].flatMap((part) => (part ? [arithmeticWord(part)] : []));
}

function toSimple(command: Command): Node {
  const words: WordNode[] = [];
  const redirects: RedirectNode[] = [];
  const assignments: AssignmentNode[] = [];
  if (command.name) words.push(toWord(command.name));
  for (const item of command.prefix) {
    if (item.type === 'Assignment') assignments.push(toAssignment(item));
    else redirects.push(toRedirect(item));
  }
  for (const item of command.suffix) {
    if (item.type === 'Word') words.push(toWord(item));
    else if (item.type === 'Assignment') words.push(assignmentWord(item));
    else redirects.push(toRedirect(item));
  }
  return { kind: 'simple', assignments, words, redirects, start: command.pos, end: command.end };
}

function toAssignment(item: Assignment): AssignmentNode {
  const value = item.value;
  return {
    name: item.name,
    append: item.append === true,
    index: item.index ? toWord(item.index) : null,
    value: value.type === 'Word' ? toWord(value) : null,
    list: value.type === 'Word' ? null : value.elements.map(toWord),
    raw: item.text,
  };
}

function assignmentWord(item: Assignment): WordNode {
  const assignment = toAssignment(item);
  const start = `${item.name}${assignment.append ? '+' : ''}=`;
  const value = assignment.value;
  return {
    raw: item.text,
    text: value && value.text !== null ? start + value.text : null,
    pieces: value ? [{ kind: 'text', text: start, quoted: true }, ...value.pieces] : [],
    braces: false,
    assignment,
  };
}

function toRedirect(item: Redirection): RedirectNode {
  const descriptor = item.descriptor?.type === 'FileDescriptor' ? item.descriptor.value : null;
  if (item.type !== 'HereDoc') {
    return {
      operator: item.operator,
      descriptor,
      target: item.target ? toWord(item.target) : plainWord('', ''),
    };
  }
  const body: Word | null = item.body.parts
    ? { type: 'Word', text: item.body.text, value: '', pos: 0, end: 0, parts: item.body.parts }
    : null;
  return {
    operator: item.operator,
    descriptor,
    target: body ? toWord(body) : plainWord(item.body.text, item.body.text),
  };
}

function testWords(root: TestExpression): WordNode[] {
  const words: WordNode[] = [];
  const queue: TestExpression[] = [root];
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (node.type === 'TestUnary') words.push(toWord(node.operand));
    else if (node.type === 'TestBinary') words.push(toWord(node.left), toWord(node.right));
    else if (node.type === 'TestLogical') queue.push(...node.operands);
    else if (node.type === 'TestNot') queue.push(node.operand);
    else queue.push(node.expression);
  }
  return words;
}
