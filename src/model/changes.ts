/** A line of a change: removed, added, unchanged, or a heading of those that follow. */
export interface ChangeLine {
  readonly mark: '-' | '+' | ' ' | '@';
  readonly text: string;
}

/** What a call changes in one file, as surfaces show it. */
export interface Change {
  readonly path: string;
  readonly lines: readonly ChangeLine[];
}

/** The same with both texts, as far as the agent tells them. */
export interface FileChange extends Change {
  /** What stood there; null when that is not known, '' when there was nothing. */
  readonly before: string | null;
  /** What stands there now; null when that is not known, '' when nothing is left. */
  readonly after: string | null;
}

/** The lines that differ, and `around` of those that are the same before and behind them. */
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
