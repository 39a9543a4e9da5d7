/**
 * The public API of Hookline.
 * @module
 */
export type { EventOf, EventType, HookEvent } from './model/events.ts';
export type { Decision, HookResponse } from './model/responses.ts';
export { allow, ask, context, deny, halt, none, rewrite } from './model/responses.ts';
