import type { FileOperation } from '../../model/tools.ts';

const HEADER = /^\*\*\* (Add File|Delete File|Update File): (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/**
 * What a patch does to which files, in its order and with the paths as it gives them. Text that is no patch has no
 * operations. The client is lenient with spaces around headers, and so is this: a path it would write to must not
 * go unseen.
 */
export function patchOperations(patch: string): FileOperation[] {
  const operations: FileOperation[] = [];
  // Within an update, a line that begins with a space is a line of the file, whatever it says.
  let updating = false;
  for (const line of patch.split(/\r?\n/)) {
    const text: string = updating ? line.trimEnd() : line.trim();
    const header = HEADER.exec(text);
    if (header !== null) {
      const [, action = '', path = ''] = header;
      operations.push({ op: OPERATIONS[action] ?? 'edit', path: path.trim() });
      updating = action === 'Update File';
      continue;
    }
    const to = MOVE.exec(text)?.[1]?.trim();
    const last = operations.at(-1);
    if (updating && to !== undefined && last?.op === 'edit')
      operations[operations.length - 1] = { op: 'move', path: last.path, to };
  }
  return operations;
}

const OPERATIONS: Readonly<Record<string, FileOperation['op']>> = {
  // An existing file is overwritten without a word.
  'Add File': 'create',
  'Delete File': 'delete',
  'Update File': 'edit',
};

/** The patch that makes a file with this content. */
export function patchToCreate(path: string, content: string): string {
  return patch(`*** Add File: ${path}`, prefixed('+', content));
}

/** The patch that puts one text in the place of another. */
export function patchToEdit(path: string, from: string, to: string): string {
  return patch(`*** Update File: ${path}`, ['@@', ...prefixed('-', from), ...prefixed('+', to)]);
}

function patch(header: string, lines: readonly string[]): string {
  return ['*** Begin Patch', header, ...lines, '*** End Patch'].join('\n');
}

function prefixed(sign: string, text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
}
