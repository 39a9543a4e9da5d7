import * as v from 'valibot';
import { isObject } from '../../../model/json.ts';
import {
  type McpTarget,
  type ToolCall,
  type ToolOutcome,
  type ToolResult,
  toolKind,
} from '../../../model/tools.ts';
import { patchOperations } from '../../kit/patch.ts';
import { askedCommand } from './command-line.ts';
import { patchText } from './patch-text.ts';
import { ITEMS, type ItemWire } from './wire.ts';

type Input = Readonly<Record<string, unknown>>;
type Draft = Pick<ToolCall, 'name' | 'nativeName' | 'input'> & Partial<ToolCall>;

/** Native names are those that hooks get for the same tools, so that a rule finds a call on both surfaces. */
const DRAFTS_OF_ITEMS: ReadonlyMap<string, (item: ItemWire) => Draft | null> = new Map([
  ['commandExecution', commandExecution],
  ['fileChange', reader(ITEMS.fileChange, ({ changes }) => patch(changes))],
  ['mcpToolCall', reader(ITEMS.mcpToolCall, (w) => mcpCall(w, objectOf(w.arguments)))],
  [
    'dynamicToolCall',
    reader(ITEMS.dynamicToolCall, (w) => ({
      name: w.tool,
      nativeName: w.tool,
      input: objectOf(w.arguments),
    })),
  ],
  [
    'collabAgentToolCall',
    reader(ITEMS.collabAgentToolCall, (w) => {
      const nativeName = w.tool.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const name = nativeName === 'spawn_agent' ? 'Task' : nativeName;
      return { name, nativeName, input: present({ prompt: w.prompt, model: w.model }) };
    }),
  ],
  [
    'webSearch',
    reader(ITEMS.webSearch, (w) => ({
      name: 'WebSearch',
      nativeName: 'web_search',
      input: present({ query: w.query }),
    })),
  ],
  [
    'imageView',
    reader(ITEMS.imageView, (w) => ({
      name: 'Read',
      nativeName: 'view_image',
      input: { path: w.path },
      files: [{ op: 'read', path: w.path }],
    })),
  ],
]);

/** The call that an item stands for; null for messages, thoughts and everything else that is not a call of a tool. */
export function toolOf(item: ItemWire): ToolCall | null {
  const draft = DRAFTS_OF_ITEMS.get(item.type)?.(item) ?? null;
  // The item has the id of the model's call, which is also what hooks get as `tool_use_id`.
  return draft && toolCall(draft, item.id);
}

export function toolCall(draft: Draft, useId: string | null): ToolCall {
  const mcp = draft.mcp ?? null;
  return {
    kind: toolKind(draft.name, mcp),
    useId,
    mcp,
    command: null,
    files: [],
    ...draft,
  };
}

const OUTCOMES: ReadonlyMap<string, ToolOutcome> = new Map([
  ['completed', 'ok'],
  ['failed', 'failed'],
  ['declined', 'denied'],
]);

/** The same after the fact. */
export function resultOf(item: ItemWire, tool: ToolCall): ToolResult {
  const outcome = OUTCOMES.get(item.status ?? '') ?? 'unknown';
  return {
    ...tool,
    response: responseOf(item),
    error: outcome === 'failed' ? errorOf(item) : null,
    outcome,
    durationMs: item.durationMs ?? null,
  };
}

/** The call of the shell that a command approval is about. */
export function shellCall(shown: string, useId: string | null, reason: string | null): ToolCall {
  const command = askedCommand(shown);
  // Hooks get the reason that the model gave under this name.
  return toolCall({ ...shell(command), input: present({ command, description: reason }) }, useId);
}

export function mcpCall({ server, tool }: McpTarget, input: Input): Draft {
  const name = `mcp__${server}__${tool}`;
  return { name, nativeName: name, input, mcp: { server, tool } };
}

/** One patch is one call, however many files it touches; its paths are only in the item. */
export function patch(changes: v.InferOutput<typeof ITEMS.fileChange>['changes']): Draft {
  const command = patchText(changes);
  return { name: 'Edit', nativeName: 'apply_patch', input: { command }, files: patchOperations(command) };
}

export function objectOf(value: unknown): Input {
  return isObject(value) ? { ...value } : { value };
}

/** Without what is absent. */
export function present(fields: Input): Input {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function shell(command: string): Draft {
  return { name: 'Bash', nativeName: 'Bash', input: { command }, command };
}

function commandExecution(item: ItemWire): Draft | null {
  const { success, output } = v.safeParse(ITEMS.commandExecution, item);
  // What the user typed after `!` is not a call of the agent's.
  if (!success || output.source === 'userShell') return null;
  if (!output.command) return { name: 'Bash', nativeName: 'Bash', input: {} };
  // Input for a program that is already running is not a command line, and fires no hook.
  if (output.source === 'unifiedExecInteraction') {
    return { name: 'write_stdin', nativeName: 'write_stdin', input: { to: askedCommand(output.command) } };
  }
  return shell(askedCommand(output.command));
}

function reader<S extends v.GenericSchema>(schema: S, read: (wire: v.InferOutput<S>) => Draft) {
  return (item: ItemWire): Draft | null => {
    const parsed = v.safeParse(schema, item);
    // What ended is a call also where nothing is said of it.
    return parsed.success ? read(parsed.output) : { name: item.type, nativeName: item.type, input: {} };
  };
}

function responseOf(item: ItemWire): unknown {
  const { aggregatedOutput, result, contentItems } = item;
  return aggregatedOutput ?? result ?? contentItems ?? null;
}

function errorOf(item: ItemWire): string {
  const { exitCode, error } = item;
  if (typeof exitCode === 'number') return `Exit code ${exitCode}.`;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return 'The call failed.';
}
