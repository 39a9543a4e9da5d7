import type * as v from 'valibot';
import type { changeWire } from './wire.ts';

type Change = v.InferOutput<typeof changeWire>;

/**
 * The changes of an item as the patch that hooks get for the same call, so that one parser reads both. The
 * server has made the paths absolute, and of a file that is new it gives the text, not a diff (0.166.0).
 */
export function patchText(changes: readonly Change[]): string {
  return ['*** Begin Patch', ...changes.flatMap(linesOf), '*** End Patch'].join('\n');
}

function linesOf({ path, kind, diff }: Change): readonly string[] {
  if (kind.type === 'delete') return [`*** Delete File: ${path}`];
  const lines = (diff ?? '').split('\n');
  if (kind.type === 'add') {
    const text = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
    return [`*** Add File: ${path}`, ...text.map((line) => `+${line}`)];
  }
  return [
    `*** Update File: ${path}`,
    ...(kind.move_path ? [`*** Move to: ${kind.move_path}`] : []),
    // After the hunks there may be a remark.
    ...lines.filter((line) => /^(?:[ +-]|@@)/.test(line)).map((line) => line.replace(/^@@ .* @@/, '@@')),
  ];
}
