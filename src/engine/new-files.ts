import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { CALLS_AHEAD, type HookEvent, isToolEvent, sessionKey } from '../model/events.ts';
import type { FileOperation, ToolCall } from '../model/tools.ts';
import { BoundedMap } from '../platform/bounded.ts';

/** Gives `create` one meaning on every agent: some never say that a file is new, others only afterwards. */
export type NewFiles = (event: HookEvent) => HookEvent;

const REMEMBERED_FILES = 2_000;

/**
 * Looks before a call whether its files exist, and remembers that for its result. Without memory of the call, as in the
 * fallback, a result says what the agent says.
 */
export function createNewFiles(exists: (path: string) => boolean = existsSync): NewFiles {
  const known = new BoundedMap<string, boolean>(REMEMBERED_FILES);
  return (event) => {
    if (!isToolEvent(event) || !event.tool.files.some(isWritten)) return event;
    const isAhead = CALLS_AHEAD.has(event.type);
    const files = event.tool.files.map((file) => {
      const path = isWritten(file) ? wholePath(file, event.tool, event.cwd) : null;
      if (path === null) return file;
      const key = `${sessionKey(event)}\0${path}`;
      if (isAhead) known.set(key, !exists(path));
      const isNew = known.get(key);
      return isNew === undefined ? file : { ...file, op: operation(file.op, isNew) };
    });
    return withFiles(event, files);
  };
}

function isWritten({ op }: FileOperation): boolean {
  return op === 'create' || op === 'write' || op === 'edit';
}

function operation(op: FileOperation['op'], isNew: boolean): FileOperation['op'] {
  if (isNew) return 'create';
  return op === 'create' ? 'write' : op;
}

function wholePath({ path }: FileOperation, tool: ToolCall, cwd: string | null): string | null {
  if (isAbsolute(path)) return path;
  const from = tool.cwd ?? cwd;
  return from === null ? null : resolve(from, path);
}

function withFiles(event: HookEvent, files: readonly FileOperation[]): HookEvent {
  if (!isToolEvent(event)) return event;
  // Narrowed one by one: `tool` of a result has more than that of a call.
  return event.type === 'after_tool'
    ? { ...event, tool: { ...event.tool, files } }
    : { ...event, tool: { ...event.tool, files } };
}

/** The files of a call with other arguments: those that it wrote before as well stay what they were. */
export function sameFiles(before: ToolCall, after: ToolCall): ToolCall {
  const known = new Map(before.files.map(({ path, op }) => [path, op]));
  const files = after.files.map((file) =>
    isWritten(file) ? { ...file, op: known.get(file.path) ?? file.op } : file,
  );
  return { ...after, files };
}
