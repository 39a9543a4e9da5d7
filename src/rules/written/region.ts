/** The lines of a file that a change is about, from the first that differs to the last. */
export interface Region {
  readonly before: string;
  readonly text: string;
  /** The lines that these stand below, by their depth, the nearest first. */
  readonly around: string;
}

/** The lines in which two texts differ; null where they do not. */
export function changedRegion(before: string, after: string): Region | null {
  if (before === after) return null;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  return {
    before: old.slice(start, old.length - end).join('\n'),
    text: now.slice(start, now.length - end).join('\n'),
    around: linesAbove(now, start),
  };
}

function linesAbove(lines: readonly string[], start: number): string {
  const above: string[] = [];
  let depth = depthOf(lines[start] ?? '');
  for (let at = start - 1; at >= 0 && depth > 0; at--) {
    const line = lines[at] ?? '';
    const own = depthOf(line);
    if (line.trim() === '' || own >= depth) continue;
    above.push(line);
    depth = own;
  }
  return above.join('\n');
}

function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}
