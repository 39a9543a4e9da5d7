import { type HookEvent, projectFolderOf } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { once } from '../../platform/bounded.ts';
import type { Analysis } from '../../shell/analysis.ts';
import { hasUnknown } from '../../shell/placeholders.ts';
import type { World } from '../facts.ts';
import { LONGEST_PATH, resolveToolPath } from '../tool-effects.ts';
import { excerpt } from '../written/excerpt.ts';
import { type Changed, type Given, textsGiven, type Whole } from '../written/texts.ts';
import type { CallFacts } from './facts.ts';

/** A text and its target file: `path` relative to the project if inside it, `place` absolute. */
export interface WrittenFile extends Changed {
  readonly place: string;
}

interface Where {
  readonly event: HookEvent;
  readonly world: Pick<World, 'home' | 'scriptText'>;
  real(path: string): string;
}

const NOTHING: readonly WrittenFile[] = [];
const MOST_FILES = 20;

/** What a call writes to files, through a file tool, an MCP tool or a command line. */
export function filesWritten(
  tool: ToolCall,
  seems: CallFacts | null,
  analysis: Analysis | null,
  { event, world, real }: Where,
): readonly WrittenFile[] {
  if (tool.kind === 'shell' && !analysis?.left.length) return NOTHING;
  const texts = [...givenTexts(tool, seems), ...leftTexts(analysis)];
  if (texts.length === 0) return NOTHING;
  const project = projectFolderOf(event) ?? event.cwd;
  return texts.slice(0, MOST_FILES).flatMap((one) => {
    const place = resolveToolPath(one.path, event.cwd, world.home);
    if (place.length > LONGEST_PATH) return [];
    const isInside = project !== null && place.startsWith(`${project}/`);
    const path = isInside ? place.slice(project.length + 1) : place;
    const text = excerpt(one.text);
    const given = { path, text, isPart: one.isPart || text !== one.text, before: one.before };
    return [{ path, place, given, whole: once(() => wholeOf(one, world.scriptText?.(real(place)) ?? null)) }];
  });
}

/** Text that was cut off or is too long never excuses anything. */
function wholeOf({ after }: Given, old: string | null): Whole | null {
  if (old === null || hasUnknown(old)) return null;
  const before = old.replaceAll('\r\n', '\n');
  const text = after(before);
  return text === null || text.length > LONGEST_WHOLE ? null : { before, after: text };
}

const LONGEST_WHOLE = 64 * 1024;

function givenTexts(tool: ToolCall, seems: CallFacts | null): readonly Given[] {
  if (tool.kind !== 'write' && tool.kind !== 'mcp') return [];
  const named = tool.files.flatMap(({ op, path, to }) =>
    op === 'read' || op === 'delete' ? [] : [to ?? path],
  );
  const derived = (seems?.files ?? []).flatMap(({ access, path }) => (access === 'write' ? [path] : []));
  return textsGiven(tool, [...named, ...derived]);
}

function leftTexts(analysis: Analysis | null): readonly Given[] {
  return (analysis?.left ?? []).flatMap(({ path, text }) => {
    if (text === undefined) return [];
    // Text after an unknown part was appended to existing content.
    const known = text.replace(/^[\uE000-\uE6FF]+/, '');
    const isPart = known !== text;
    const after = (before: string) => (isPart ? `${before}${known}` : known);
    return [{ path, text: known, isPart, before: null, after }];
  });
}
