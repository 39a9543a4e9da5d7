import { resolve } from 'node:path';
import { entryOf } from '../../model/lookup.ts';
import type { ReadingTool, ToolCall } from '../../model/tools.ts';
import { literalFolder } from '../../shell/memory/store.ts';
import type { Facts } from '../facts.ts';
import type { ReadTarget } from './calm.ts';

/** What a built-in tool looks at; null if it may do more than look. */
export function readTargetsOf({ tool, cwd, world, event }: Facts): readonly ReadTarget[] | null {
  if (tool === null || tool.mcp !== null || !cwd?.startsWith('/')) return null;
  const known = entryOf(world.readingTools?.(event.source) ?? {}, tool.name);
  if (!known || !isKnownCall(tool, known)) return null;
  const place = pathArgument(tool, known);
  if (place === null) return null;
  const folder = resolve(cwd, place);
  // A pattern starts in the directory it names, which may be a link.
  const bases = patternsOf(tool, known).map((pattern) => resolve(folder, baseOf(pattern)));
  return [
    { at: known.at, path: folder, glob: false, below: known.below && 'unversioned' },
    ...bases.map((path) => ({ at: 'names' as const, path, glob: false, below: false as const })),
  ];
}

/** Home directories, mentions and URLs: each client resolves them differently. */
const ELSEWHERE = /^(?:[~@]|file:)/i;

function pathArgument({ input }: ToolCall, { path, at, below }: ReadingTool): string | null {
  const places = path.flatMap((name) => input[name] ?? []);
  if (places.length === 0) return at === 'contents' && !below ? null : '.';
  const [place] = places;
  return places.length === 1 && typeof place === 'string' && !ELSEWHERE.test(place) ? place : null;
}

function patternsOf({ input }: ToolCall, { pattern }: ReadingTool): readonly string[] {
  return pattern.flatMap((name) => input[name] ?? []).map(String);
}

function isKnownCall(tool: ToolCall, known: ReadingTool): boolean {
  const names = [...known.path, ...known.pattern, ...known.others];
  return (
    Object.keys(tool.input).every((name) => names.includes(name)) &&
    patternsOf(tool, known).every(staysInside)
  );
}

const baseOf = (pattern: string): string =>
  /[*?[{]/.test(pattern) ? `./${literalFolder(pattern)}` : pattern;

/** A pattern that starts at the root, in a home or above the directory searches elsewhere. */
function staysInside(pattern: string): boolean {
  return !/^[/~!{]|(?:^|[/{,])\.\.(?:[/},]|$)/.test(pattern);
}
