import { type Assignment, UNKNOWN } from '../analysis.ts';
import { expandText, expandWords } from '../expand/word.ts';
import type { AssignmentNode } from '../syntax/nodes.ts';
import type { Walk } from '../walk.ts';
import { known } from '../word.ts';
import { NAMES_IN_BASH, rename } from './renames.ts';
import type { List } from './state.ts';

/** Sets a variable of the shell itself. */
export function assign(walk: Walk, node: AssignmentNode, exported = false): string {
  if (node.list) {
    const list = expandWords(walk, node.list).map((word) => walk.textOf(word));
    if (NAMES_IN_BASH.has(node.name)) for (const item of list) renameBy(walk, item);
    const before = node.append ? (walk.state.variables.get(node.name)?.list ?? []) : [];
    setList(walk, node.name, [...before, ...list]);
    return UNKNOWN;
  }
  let value = node.value ? expandText(walk, node.value) : '';
  if (node.append) value = (walk.state.variables.get(node.name)?.value ?? UNKNOWN) + value;
  if (node.index) {
    const index = expandText(walk, node.index);
    if (NAMES_IN_BASH.has(node.name)) rename(walk.state, index, value);
    const list = [...(walk.state.variables.get(node.name)?.list ?? [])];
    if (/^\d{1,4}$/.test(index)) {
      while (list.length < Number(index)) list.push(undefined);
      list[Number(index)] = value;
      setList(walk, node.name, list);
    } else walk.state.set(node.name, UNKNOWN);
    return value;
  }
  walk.state.set(node.name, value, exported);
  return value;
}

/** `[ls]=rm` in a list. */
function renameBy(walk: Walk, item: string): void {
  const [, name, text = ''] = /^\[([^\]]+)\]=(.*)$/s.exec(item) ?? [];
  if (name !== undefined) rename(walk.state, name, text);
}

/** One array item costs as much as this many names. */
const ITEMS_PER_PATH = 64;

function setList(walk: Walk, name: string, list: List): void {
  walk.meet(list.length / ITEMS_PER_PATH);
  walk.state.setList(name, list);
}

/** `NAME=value` before a command: visible to that command only. */
export function prefix(walk: Walk, node: AssignmentNode): Assignment {
  const value = node.value ? known(expandText(walk, node.value)) : null;
  return { name: node.name, value, raw: node.raw };
}
