/**
 * The public API of Hookline: what a hook is written with.
 * @module
 */
export {
  defineHook,
  type EventName,
  type HookAnswer,
  type HookContext,
  type HookDefinition,
  type HookSession,
  type ToolInputs,
} from './hooks/define.ts';
export type { EventGroups, EventOf, EventType, HookEvent, ToolEvent } from './model/events.ts';
export type { Decision, Grant, HookResponse, ToolConfig } from './model/responses.ts';
export { allow, ask, context, deny, halt, none, rewrite } from './model/responses.ts';
export type { FileOperation, McpTarget, ToolCall, ToolKind, ToolOutcome, ToolResult } from './model/tools.ts';
