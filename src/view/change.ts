/** A line of a change: taken out, put in, or only there to find one's way. */
export interface ChangeLine {
  readonly mark: '-' | '+' | ' ' | '@';
  readonly text: string;
}

export interface Change {
  readonly path: string;
  readonly lines: readonly ChangeLine[];
}

type Fields = Readonly<Record<string, unknown>>;

/** What a tool call changes in files, as the tools of most agents name the parts; empty when it is not seen. */
export function changesIn(input: Fields): readonly Change[] {
  const path = text(input.file_path) ?? text(input.path) ?? text(input.notebook_path) ?? '';
  const edits = Array.isArray(input.edits) ? input.edits.filter(isFields) : [input];
  const found = edits.flatMap((edit) => {
    const before = text(edit.old_string);
    const after = text(edit.new_string) ?? text(edit.new_source) ?? (path === '' ? null : text(edit.content));
    return after === null ? [] : [{ path, lines: lineChange(before ?? '', after) }];
  });
  if (found.length > 0) return found;
  const patch = text(input.command) ?? text(input.patch) ?? text(input.input) ?? '';
  return patch.startsWith('*** Begin Patch') ? patchChanges(patch) : [];
}

/** The lines that differ, between those that both texts begin and end with. */
export function lineChange(before: string, after: string): readonly ChangeLine[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after.split('\n');
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]) => lines.map((line): ChangeLine => ({ mark: ' ', text: line }));
  return [
    ...same(now.slice(Math.max(0, head - 3), head)),
    ...old.slice(head, old.length - tail).map((line): ChangeLine => ({ mark: '-', text: line })),
    ...now.slice(head, now.length - tail).map((line): ChangeLine => ({ mark: '+', text: line })),
    ...same(now.slice(now.length - tail, now.length - tail + 3)),
  ];
}

function patchChanges(patch: string): readonly Change[] {
  const changes: { path: string; lines: ChangeLine[] }[] = [];
  for (const line of patch.split('\n')) {
    const file = /^\s*\*\*\* (?:Add|Update|Delete) File: (.+)$/.exec(line)?.[1];
    const current = changes.at(-1);
    if (file !== undefined) changes.push({ path: file, lines: [] });
    else if (line.startsWith('*** Move to: ')) current?.lines.push({ mark: '@', text: line.slice(4) });
    else if (line.startsWith('***')) continue;
    else if (line.startsWith('@@')) current?.lines.push({ mark: '@', text: line });
    else current?.lines.push({ mark: markOf(line), text: line.slice(1) });
  }
  return changes;
}

function markOf(line: string): '-' | '+' | ' ' {
  const [first] = line;
  return first === '-' || first === '+' ? first : ' ';
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
