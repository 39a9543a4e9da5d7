import { type Assignment, UNKNOWN } from './analysis.ts';
import { expandText, expandWords } from './expand/word.ts';
import type { AssignmentNode } from './syntax/nodes.ts';
import type { Walk } from './walk.ts';
import { known } from './word.ts';

/** Sets a variable of the shell itself. */
export function assign(walk: Walk, node: AssignmentNode, exported = false): string {
  if (node.list) {
    const list = expandWords(walk, node.list).map((word) => walk.textOf(word));
    const before = node.append ? (walk.state.variables.get(node.name)?.list ?? []) : [];
    walk.state.setList(node.name, [...before, ...list]);
    return UNKNOWN;
  }
  let value = node.value ? expandText(walk, node.value) : '';
  if (node.append) value = (walk.state.variables.get(node.name)?.value ?? UNKNOWN) + value;
  if (node.index) {
    const index = expandText(walk, node.index);
    const list = [...(walk.state.variables.get(node.name)?.list ?? [])];
    if (/^\d{1,3}$/.test(index)) {
      while (list.length < Number(index)) list.push('');
      list[Number(index)] = value;
      walk.state.setList(node.name, list);
    } else walk.state.set(node.name, UNKNOWN);
    return value;
  }
  walk.state.set(node.name, value, exported);
  return value;
}

/** `NAME=value` before a command: seen by that command only. */
export function prefix(walk: Walk, node: AssignmentNode): Assignment {
  const value = node.value ? known(expandText(walk, node.value)) : null;
  return { name: node.name, value, raw: node.raw };
}
