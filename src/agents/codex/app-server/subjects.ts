import * as v from 'valibot';
import type { HookRun } from './own-hooks.ts';
import { APPROVALS, type ItemWire, read, type ThreadWire, threadWire } from './wire.ts';

const about = v.looseObject({
  threadId: v.nullish(v.string()),
  thread: v.nullish(threadWire),
  itemId: v.nullish(v.string()),
  turnId: v.nullish(v.string()),
});
const elicited = v.looseObject({
  serverName: v.string(),
  _meta: v.looseObject({ tool_params: v.unknown() }),
});

/** The item that a question is about, which has what the question leaves out. */
export function itemOf(items: ReadonlyMap<string, ItemWire>, params: unknown): ItemWire | null {
  const id = read(about, params)?.itemId;
  if (id) return items.get(id) ?? null;
  const form = read(elicited, params);
  if (form === null) return null;
  const given = JSON.stringify(form._meta.tool_params);
  const fits = (item: ItemWire) =>
    item.type === 'mcpToolCall' &&
    item.status === 'inProgress' &&
    item.server === form.serverName &&
    JSON.stringify(item.arguments) === given;
  return [...items.values()].findLast(fits) ?? null;
}

const asked = v.looseObject({
  itemId: v.pipe(v.string(), v.minLength(1)),
  command: v.nullish(v.string()),
  changes: v.nullish(v.array(v.unknown())),
});

/** The item that a question tells itself, where no item came before it: its end may have nothing but the id. */
export function askedItem(method: string, params: unknown): ItemWire | null {
  const { itemId: id, command, changes } = read(asked, params) ?? { itemId: '' };
  if (id === '') return null;
  if (method === APPROVALS.command && command) return { type: 'commandExecution', id, command };
  return method === APPROVALS.fileChange && changes ? { type: 'fileChange', id, changes } : null;
}

/** Messages and thoughts are not calls; everything else is reported. */
export function isReported({ type }: ItemWire): boolean {
  return (
    type === 'contextCompaction' ||
    /^(?:commandExecution|fileChange|imageView|webSearch)$|ToolCall$/.test(type)
  );
}

/** A call that tells more of itself than that it ended. */
export function isWhole(item: ItemWire): boolean {
  const { type: _, id: __, status: ___, ...details } = item;
  return isReported(item) && Object.keys(details).length > 0;
}

/** `pre-tool-use:2:/path/hooks.json:call_7` */
export function callIdOf({ id, sourcePath }: HookRun): string {
  const source = sourcePath ? id.indexOf(sourcePath) : -1;
  return source === -1 ? id : id.slice(source + (sourcePath?.length ?? 0) + 1);
}

/** The thread that a message is about; null for those about the server. */
export function threadIdOf(params: unknown): string | null {
  const message = read(about, params);
  return message?.threadId ?? message?.thread?.id ?? null;
}

/** What events need to know about a thread; the whole would be stored with each of them. */
export function summaryOf(thread: ThreadWire | null): ThreadWire | null {
  if (thread === null) return null;
  const { id, sessionId, parentThreadId, cwd, path, model, agentRole } = thread;
  return { id, sessionId, parentThreadId, cwd, path, model, agentRole };
}

export function turnIdOf(params: unknown): string | null {
  return read(about, params)?.turnId ?? null;
}
