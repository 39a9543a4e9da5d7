import { resolve } from 'node:path';
import { entryOf } from '../model/lookup.ts';
import type { ToolCall } from '../model/tools.ts';
import { literalFolder } from '../shell/store.ts';
import type { Sight } from './calm.ts';
import type { Facts } from './facts.ts';

/** How a tool that only looks is called: with these arguments, of which one says where. */
interface LookingTool {
  readonly at: Sight['at'];
  readonly below: Sight['below'];
  /** The arguments that are a path; the folder of the session where there is none. */
  readonly path: readonly string[];
  /** Those that are a pattern of paths. */
  readonly pattern: readonly string[];
  /** Those that change nothing about where it looks. */
  readonly others: readonly string[];
}

/** By canonical name. The lists are closed: what an argument that is not here does, nobody knows. */
const LOOKING: Readonly<Record<string, LookingTool>> = {
  Read: {
    at: 'contents',
    below: false,
    path: ['file_path', 'absolute_path'],
    pattern: [],
    others: ['offset', 'limit', 'pages', 'start_line', 'end_line'],
  },
  Grep: {
    at: 'contents',
    below: 'not-git',
    path: ['path', 'dir_path'],
    pattern: ['glob', 'include', 'include_pattern'],
    others: [
      ...[
        'pattern',
        'output_mode',
        'head_limit',
        'offset',
        'type',
        'multiline',
        '-A',
        '-B',
        '-C',
        '-n',
        '-i',
        '-o',
      ],
      ...[
        'context',
        'case_sensitive',
        'fixed_strings',
        'after',
        'before',
        'names_only',
        'max_matches_per_file',
      ],
      ...['total_max_matches', 'exclude_pattern'],
    ],
  },
  Glob: {
    at: 'names',
    below: false,
    path: ['path', 'dir_path'],
    pattern: ['pattern'],
    others: ['case_sensitive', 'respect_git_ignore', 'respect_gemini_ignore'],
  },
  Ls: {
    at: 'names',
    below: false,
    path: ['path', 'dir_path'],
    pattern: ['ignore'],
    others: ['file_filtering_options'],
  },
};

/** What a tool of the agent's own looks at; null where it may do more than look. */
export function looksOfTool({ tool, cwd }: Facts): readonly Sight[] | null {
  const known = tool === null || tool.mcp !== null ? undefined : entryOf(LOOKING, tool.name);
  if (!tool || !known || !isKnownCall(tool, known)) return null;
  const places = known.path.flatMap((name) => tool.input[name] ?? []);
  if (places.length > 1 || places.some((place) => typeof place !== 'string' || place.startsWith('~')))
    return null;
  const [place = known.at === 'contents' && !known.below ? null : '.'] = places;
  if (typeof place !== 'string' || !cwd?.startsWith('/')) return null;
  const folder = resolve(cwd, place);
  // A pattern that names a folder looks there, which may be a link to another place.
  const bases = known.pattern.flatMap((name) => tool.input[name] ?? []).map((one) => baseOf(String(one)));
  return [folder, ...bases.map((base) => resolve(folder, base))].map((path, index) => ({
    at: index === 0 ? known.at : 'names',
    path,
    glob: false,
    below: index === 0 && known.below,
  }));
}

function isKnownCall({ input }: ToolCall, { path, pattern, others }: LookingTool): boolean {
  const names = Object.keys(input);
  return (
    names.every((name) => [path, pattern, others].some((some) => some.includes(name))) &&
    pattern.every((name) => [input[name] ?? []].flat().every(staysInside))
  );
}

const baseOf = (pattern: string): string =>
  /[*?[{]/.test(pattern) ? `./${literalFolder(pattern)}` : pattern;

/** A pattern that begins at the root, in a home or above the folder looks somewhere else. */
function staysInside(pattern: unknown): boolean {
  return typeof pattern === 'string' && !/^[/~!{]|(?:^|[/{,])\.\.(?:[/},]|$)/.test(pattern);
}
