import type { Node } from './syntax/nodes.ts';

/**
 * Whether a function that calls itself has no end: nothing decides whether it does so again, or it starts two of itself.
 */
export function isEndless(body: Node, name: string): boolean {
  return callsItself(body, name, 'always') || callsItself(body, name, 'doubled');
}

type Search = 'always' | 'doubled' | 'any';

function callsItself(node: Node, name: string, search: Search): boolean {
  const inside = (nodes: readonly (Node | null)[]) =>
    nodes.some((one) => one !== null && callsItself(one, name, search));
  switch (node.kind) {
    case 'simple':
      return search !== 'doubled' && node.words[0]?.text === name;
    case 'pipeline':
    case 'background': {
      const parts = node.kind === 'pipeline' ? node.items : [node.body];
      return search === 'doubled' ? parts.some((one) => callsItself(one, name, 'any')) : inside(parts);
    }
    case 'sequence':
      return inside(node.items);
    case 'group':
    case 'redirected':
      return inside([node.body]);
    case 'branch':
      return inside(search === 'always' ? [node.test] : [node.test, ...node.arms]);
    case 'loop':
      return inside(search === 'always' ? [node.test] : [node.test, node.body]);
    case 'for':
      return search !== 'always' && inside([node.body]);
    case 'function':
    case 'words':
      return false;
  }
}
