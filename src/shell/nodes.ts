import { type Stdin, UNKNOWN } from './analysis.ts';
import { Call } from './call.ts';
import { expandText, expandWords, onSubstitution } from './expand/word.ts';
import { sendOver } from './memory/flow.ts';
import { CALLED_BY_SHELL } from './memory/renames.ts';
import { runSubscripts } from './memory/subscripts.ts';
import { isUnknown } from './placeholders.ts';
import { inputFrom, leaveIn, redirectEffects, redirectsOf } from './redirects.ts';
import { Runner } from './runner.ts';
import type { Node, Piece, WordNode } from './syntax/nodes.ts';
import { type Walk, withStdin } from './walk.ts';
import { known, makeWord, range } from './word.ts';

/** Loops over literal words are unrolled up to this many times, and once more with an unknown word. */
const MAX_TURNS = 24;
const MAX_INNER_TURNS = 4;

export const runner: Runner = new Runner(walkNode);
onSubstitution((walk, script) => runner.substitution(walk, script));

/** Walks a node in the order a shell would run it and returns what it would print. */
export function walkNode(walk: Walk, node: Node): string {
  if (node.kind === 'simple') return runner.simple(walk, node);
  walk.enter();
  const output = walkCompound(walk, node);
  walk.leave();
  return output;
}

function walkCompound(walk: Walk, node: Exclude<Node, { kind: 'simple' }>): string {
  switch (node.kind) {
    case 'sequence':
      return inOrder(walk, node.items);
    case 'pipeline':
      return pipeline(walk, node.items);
    case 'group':
      return node.subshell
        ? walk.isolated(walk.state.copy(), () => walkNode(walk, node.body))
        : walkNode(walk, node.body);
    case 'background':
      return walk.isolated(walk.state.copy(), () => walkNode(walk, node.body));
    case 'redirected':
      return redirected(walk, node);
    case 'branch':
      return branch(walk, node);
    case 'loop':
      return loop(walk, node);
    case 'for':
      return forEach(walk, node.name, node.words, node.body);
    case 'function':
      walk.state.functions.set(node.name, node.body);
      if (CALLED_BY_SHELL.has(node.name)) calledByShell(walk, node.body);
      return '';
    case 'words':
      runSubscripts(
        walk,
        runner,
        node.words.map((word) => expandText(walk, word)),
      );
      return '';
  }
}

/** The shell calls it with unknown arguments. */
function calledByShell(walk: Walk, body: Node): void {
  const state = walk.state.copy();
  state.positional = null;
  walk.isolated(state, () => walkNode(walk, body));
}

function inOrder(walk: Walk, items: readonly Node[]): string {
  let output = '';
  for (const item of items) output += walkNode(walk, item);
  return output;
}

function pipeline(walk: Walk, items: readonly Node[]): string {
  const first = walk.commands.length;
  const { via, place, guessed, depth, span } = walk.frame;
  let stdin = walk.frame.stdin;
  let output = '';
  for (const [index, item] of items.entries()) {
    const frame = { via, place, guessed, depth, stdin, pipeline: { index, size: items.length }, span };
    output = walk.isolated(walk.state.copy(), () => walk.within(frame, () => walkNode(walk, item)));
    const piped: Stdin = {
      from: 'pipe',
      text: known(output),
      template: output,
      sources: range(first, walk.commands.length),
    };
    stdin = piped;
  }
  return output;
}

function redirected(walk: Walk, node: Extract<Node, { kind: 'redirected' }>): string {
  const redirects = redirectsOf(walk, node.redirects);
  const first = walk.commands.length;
  const stdin = inputFrom(walk, redirects);
  const output = walk.within(withStdin(walk.frame, stdin), () => walkNode(walk, node.body));
  const command = walk.commands[first];
  if (!command) return output;
  const call = new Call(walk, command, first, runner);
  const before = walk.effects.length;
  redirectEffects(call, redirects);
  sendOver(call, before, output);
  return leaveIn(call, redirects, output);
}

/** Every arm may run. Afterwards only what all of them agree on is known. */
function branch(walk: Walk, node: Extract<Node, { kind: 'branch' }>): string {
  for (const word of node.words) expandText(walk, word);
  let output = node.test ? walkNode(walk, node.test) : '';
  const before = walk.state;
  const after = before.copy();
  walk.store.weak++;
  for (const arm of node.arms) {
    const state = before.copy();
    if (walk.isolated(state, () => walkNode(walk, arm)) !== '') output = UNKNOWN;
    after.join(state);
  }
  walk.store.weak--;
  walk.state = after;
  return output;
}

/**
 * Walks the body once with the current variables. If it changes any, walks it again with those unknown, because the
 * second iteration may run what the first one assigned.
 */
function loop(walk: Walk, node: Extract<Node, { kind: 'loop' }>): string {
  const first = walk.commands.length;
  const counters = node.words.flatMap(({ pieces }) => pieces.flatMap(counterIn));
  for (const word of node.words) expandText(walk, word);
  for (const name of counters) walk.state.set(name, UNKNOWN);
  const before = walk.state.copy();
  let output = node.test ? walkNode(walk, node.test) : '';
  output += walkNode(walk, node.body);
  if (changed(walk, before)) {
    walk.state.join(before);
    walkNode(walk, node.body);
    walk.state.join(before);
  }
  for (const name of walk.commands.length > first ? counters : [])
    walk.effects.push({ kind: 'env', name, op: 'set', value: '0', command: first, certainty: 'certain' });
  return output === '' ? '' : UNKNOWN;
}

/** `for ((i = 1; …`: its value in the body is unknown. */
function counterIn(piece: Piece): readonly string[] {
  if (piece.kind !== 'arithmetic' || piece.expression?.kind !== 'binary') return [];
  const { operator, left } = piece.expression;
  return operator === '=' && left.kind === 'value' ? [left.text] : [];
}

function changed(walk: Walk, before: Walk['state']): boolean {
  if (walk.state.cwd !== before.cwd) return true;
  for (const [name, variable] of walk.state.variables) {
    const old = before.variables.get(name);
    if (!isUnknown(variable.value) && old !== variable && old?.value !== variable.value) return true;
  }
  return false;
}

function forEach(walk: Walk, name: string, words: readonly WordNode[] | null, body: Node): string {
  const values = words ? expandWords(walk, words).map((word) => walk.textOf(word)) : null;
  runSubscripts(walk, runner, values ?? []);
  const limit = walk.loops > 0 ? MAX_INNER_TURNS : MAX_TURNS;
  const turns = values ? [...new Set(values)] : [...(walk.state.positional ?? [UNKNOWN])];
  if (turns.length > limit) {
    const left = turns.splice(limit).map((value) => makeWord(value, value));
    turns.push(walk.nameAmong(left));
  }
  let output = '';
  const first = walk.commands.length;
  walk.loops++;
  for (const value of turns) {
    walk.state.set(name, value);
    output += walkNode(walk, body);
  }
  walk.loops--;
  // Commands in the body see the variable if it is exported.
  if (walk.commands.length > first)
    walk.effects.push({ kind: 'env', name, op: 'set', value: null, command: first, certainty: 'certain' });
  return output;
}
