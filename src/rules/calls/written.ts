import { type HookEvent, projectFolderOf } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import type { Analysis } from '../../shell/analysis.ts';
import { LONGEST_PATH, placeOf } from '../found.ts';
import { excerpt } from '../written/excerpt.ts';
import { textsGiven, type Written } from '../written/texts.ts';
import type { CallFacts } from './facts.ts';

/** A text and the file it goes to: `path` from the project where it lies in it, `place` absolute. */
export interface WrittenFile extends Written {
  readonly place: string;
}

interface Where {
  readonly event: HookEvent;
  readonly home: string | null;
}

const NOTHING: readonly WrittenFile[] = [];
const MOST_FILES = 20;

/** What a call puts into files, be it a file tool, a tool of a server, or a command line that says what it writes. */
export function filesWritten(
  tool: ToolCall,
  seems: CallFacts | null,
  analysis: Analysis | null,
  { event, home }: Where,
): readonly WrittenFile[] {
  if (tool.kind === 'shell' && !analysis?.left.length) return NOTHING;
  const texts = [...givenTexts(tool, seems), ...leftTexts(analysis)];
  if (texts.length === 0) return NOTHING;
  const project = projectFolderOf(event) ?? event.cwd;
  return texts.slice(0, MOST_FILES).flatMap((one) => {
    const place = placeOf(one.path, event.cwd, home);
    if (place.length > LONGEST_PATH) return [];
    const isInside = project !== null && place.startsWith(`${project}/`);
    const path = isInside ? place.slice(project.length + 1) : place;
    const text = excerpt(one.text);
    return [{ path, place, text, isPart: one.isPart || text !== one.text, before: one.before }];
  });
}

function givenTexts(tool: ToolCall, seems: CallFacts | null): readonly Written[] {
  if (tool.kind !== 'write' && tool.kind !== 'mcp') return [];
  const named = tool.files.flatMap(({ op, path, to }) =>
    op === 'read' || op === 'delete' ? [] : [to ?? path],
  );
  const derived = (seems?.files ?? []).flatMap(({ access, path }) => (access === 'write' ? [path] : []));
  return textsGiven(tool, [...named, ...derived]);
}

function leftTexts(analysis: Analysis | null): readonly Written[] {
  return (analysis?.left ?? []).flatMap(({ path, text }) => {
    if (text === undefined) return [];
    // What follows something unknown was appended to what is there.
    const known = text.replace(/^[\uE000-\uE6FF]+/, '');
    return [{ path, text: known, isPart: known !== text, before: null }];
  });
}
