import type { ChangeLine, FileChange } from '../../model/changes.ts';
import type { FileOperation } from '../../model/tools.ts';
import type { CommonCall } from './dialect.ts';

// Clients cut the words off and trim the rest: no space has to follow, and any character may be in a path.
const HEADER = /^\*\*\* (Add File|Delete File|Update File):\s*(\S.*)$/s;
const MOVE = /^\*\*\* Move to:\s*(\S.*)$/s;

/**
 * What a patch does to which files, in its order and with the paths as it gives them. Text that is not a patch has no
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
  // An existing file is silently overwritten.
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

/** One file of a patch as a call that other agents have. */
interface PatchCall {
  readonly name: 'Write' | 'Edit';
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a patch does, file by file: a new file is written, everything else is an edit, a moved file is both. */
function patchCalls(patch: string): readonly PatchCall[] {
  const operations = patchOperations(patch);
  const bodies = bodiesOf(patch);
  return operations.flatMap(({ op, path, to }, at): PatchCall[] => {
    const lines = bodies[at] ?? [];
    const having = (signs: string) =>
      lines.flatMap((line) => (signs.includes(line[0] ?? '\n') ? line.slice(1) : [])).join('\n');
    if (op === 'create') return [{ name: 'Write', input: { file_path: path, content: having('+') } }];
    const input = { file_path: path, old_string: having('- '), new_string: having('+ ') };
    const edit: PatchCall = { name: 'Edit', input };
    return to === undefined
      ? [edit]
      : [edit, { name: 'Write', input: { file_path: to, content: having('+ ') } }];
  });
}

/**
 * A call that applies a patch, in common terms: one patch may create, edit and delete, what others do in as many calls. The
 * arguments of one of them cannot change its text. A text that is not a patch is still a call.
 */
export function commonPatch(call: CommonCall, patch: string): readonly CommonCall[] {
  const parts = patchCalls(patch);
  return parts.length === 0 ? [call] : parts.map((part) => ({ ...call, ...part, change: () => null }));
}

function bodiesOf(patch: string): readonly (readonly string[])[] {
  const bodies: string[][] = [];
  for (const line of patch.split(/\r?\n/)) {
    if (HEADER.test(line.startsWith(' ') && bodies.length > 0 ? line : line.trim())) bodies.push([]);
    else if (!/^\*\*\* |^@@/.test(line)) bodies.at(-1)?.push(line);
  }
  return bodies;
}

const UPDATE = 'Update File';
const DELETE = 'Delete File';

interface FilePatch {
  readonly path: string;
  readonly action: string;
  readonly lines: ChangeLine[];
}

/** What a patch changes, file by file. */
export function patchChanges(patch: string): readonly FileChange[] {
  const files: FilePatch[] = [];
  let current: FilePatch | null = null;
  for (const line of patch.split(/\r?\n/)) {
    // Within an update, a line that begins with a space is a line of the file, whatever it says.
    const text: string = current?.action === UPDATE ? line.trimEnd() : line.trim();
    const [, action, path] = HEADER.exec(text) ?? [];
    if (action !== undefined && path !== undefined) {
      current = {
        path: path.trim(),
        action,
        lines: action === DELETE ? [{ mark: '@', text: 'deleted' }] : [],
      };
      files.push(current);
    } else if (line.startsWith('*** End Patch')) current = null;
    else current?.lines.push(...lineOf(line));
  }
  return files.map(changeOf);
}

function lineOf(line: string): readonly ChangeLine[] {
  const to = MOVE.exec(line.trimEnd())?.[1];
  if (to !== undefined) return [{ mark: '@', text: `moved to ${to}` }];
  if (line.startsWith('@@')) return [{ mark: '@', text: line }];
  const [mark] = line;
  if (mark === '-' || mark === '+' || mark === ' ') return [{ mark, text: line.slice(1) }];
  // An empty line of the file may have lost its sign; everything else is the patch's own.
  return line === '' ? [{ mark: ' ', text: '' }] : [];
}

function changeOf({ path, action, lines }: FilePatch): FileChange {
  const deletes = action === DELETE;
  const side = (sign: '-' | '+') => lines.flatMap(({ mark, text }) => (mark === sign ? text : [])).join('\n');
  // What a deletion takes away is not in the patch.
  return { path, before: deletes ? null : side('-'), after: deletes ? '' : side('+'), lines };
}
