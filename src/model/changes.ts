/** A line of a change: removed, added, unchanged, or a heading of the lines after it. */
export interface ChangeLine {
  readonly mark: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** What a call changes in one file, as surfaces show it. */
export interface Change {
  readonly path: string;
  readonly lines: readonly ChangeLine[];
}

/** A change with both texts, as far as the agent tells them. */
export interface FileChange extends Change {
  /** Previous text; null if unknown, '' if there was none. */
  readonly before: string | null;
  /** New text; null if unknown, '' if none is left. */
  readonly after: string | null;
}

/** The changed lines, with `around` unchanged lines before and after them. */
export function changedLines(
  before: readonly string[],
  after: readonly string[],
  around: number,
): readonly ChangeLine[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const end = after.length - tail;
  return [
    ...marked(' ', after.slice(Math.max(0, head - around), head)),
    ...marked('-', before.slice(head, before.length - tail)),
    ...marked('+', after.slice(head, end)),
    ...marked(' ', after.slice(end, end + around)),
  ];
}

function marked(mark: ChangeLine['mark'], lines: readonly string[]): ChangeLine[] {
  return lines.map((text) => ({ mark, text }));
}
