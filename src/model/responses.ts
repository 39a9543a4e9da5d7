/** `none` means no decision: the agent's own permission flow goes on. It is never the same as `allow`. */
export type Decision = 'none' | 'allow' | 'deny' | 'ask';

/** A permission to remember upstream, in words that every agent's store can be filled from. */
export interface Grant {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly tool: string;
  /** The MCP server, where all of its tools are meant and not only this one. */
  readonly server?: string;
  /** What of the tool: a command pattern, a path pattern; null for all of it. */
  readonly pattern: string | null;
  readonly scope: 'session' | 'project' | 'user';
}

export interface ToolConfig {
  readonly mode?: 'AUTO' | 'ANY' | 'NONE';
  readonly allowedFunctionNames?: readonly string[];
}

/**
 * What Hookline wants to happen. `deny` means "this may not happen" on every event: a tool does not run, a turn
 * does not end, a prompt is not sent, a compaction does not take place.
 */
export interface HookResponse {
  readonly decision: Decision;
  /** Why, for the model. */
  readonly reason?: string;
  /** Why, for the user who is asked, or who looks at it later. */
  readonly explanation?: string;
  /** More to know, for the model. */
  readonly context?: string;
  /** For the user at the terminal. */
  readonly systemMessage?: string;
  /** A partial change of the arguments; the rest is kept. */
  readonly modifyArgs?: Readonly<Record<string, unknown>>;
  /** End the turn, and why. */
  readonly halt?: string;
  readonly replaceOutput?: unknown;
  readonly grants?: readonly Grant[];
  readonly llmRequest?: Readonly<Record<string, unknown>>;
  readonly llmResponse?: Readonly<Record<string, unknown>>;
  readonly toolConfig?: ToolConfig;
  /** Variables for the session's later commands. */
  readonly env?: Readonly<Record<string, string>>;
  /** Something that the client itself is to do, such as `clear`. */
  readonly triggerAction?: string;
  /** Do not show the user what the hook printed. */
  readonly suppressOutput?: boolean;
  /** Fields that only one agent has, by agent id; sent as they are, and only to that agent. */
  readonly native?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const NONE: HookResponse = Object.freeze({ decision: 'none' });

/**
 * No decision.
 * @example
 * import { defineHook, none } from 'hookline';
 *
 * export default defineHook({ on: 'before_tool', run: () => none() });
 */
export const none = (): HookResponse => NONE;
/**
 * Skip the agent's own permission prompt.
 * @example
 * import { allow, defineHook } from 'hookline';
 *
 * export default defineHook({
 *   on: 'permission_request',
 *   tool: 'Read',
 *   run: ({ tool }) => (tool.files.every(({ path }) => path.includes('/docs/')) ? allow('Docs are public.') : null),
 * });
 */
export const allow = (reason?: string): HookResponse =>
  reason === undefined ? { decision: 'allow' } : { decision: 'allow', reason };
/**
 * This may not happen. The reason goes to the model.
 * @example
 * import { defineHook, deny } from 'hookline';
 *
 * export default defineHook({
 *   on: 'before_tool',
 *   tool: 'Bash',
 *   run: ({ tool }) => (tool.command.includes('npm publish') ? deny('CI makes releases.') : null),
 * });
 */
export const deny = (reason: string): HookResponse => ({ decision: 'deny', reason });
/**
 * A person must decide.
 * @example
 * import { ask, defineHook } from 'hookline';
 *
 * export default defineHook({
 *   on: 'before_tool',
 *   run: ({ tool }) => (tool.files.some(({ op }) => op === 'delete') ? ask('This deletes files.') : null),
 * });
 */
export const ask = (reason: string): HookResponse => ({ decision: 'ask', reason });
/**
 * Tell the model something, without an opinion on the event.
 * @example
 * import { context, defineHook } from 'hookline';
 *
 * export default defineHook({
 *   on: 'session_start',
 *   run: (_, { session }) => context(`The tests of ${session.cwd} need \`npm run build\` first.`),
 * });
 */
export const context = (text: string): HookResponse => ({ decision: 'none', context: text });
/**
 * Change some arguments, without an opinion on the call.
 * @example
 * import { defineHook, rewrite } from 'hookline';
 *
 * export default defineHook({
 *   on: 'before_tool',
 *   tool: 'Bash',
 *   run: ({ tool }) => (tool.command === 'npm test' ? rewrite({ command: 'npm run test:changed' }) : null),
 * });
 */
export const rewrite = (args: Readonly<Record<string, unknown>>): HookResponse => ({
  decision: 'none',
  modifyArgs: args,
});
/**
 * End the turn.
 * @example
 * import { defineHook, halt } from 'hookline';
 *
 * export default defineHook({
 *   on: 'before_tool',
 *   run: (_, { session }) => (session.state.stopped ? halt('The budget of this session is used up.') : null),
 * });
 */
export const halt = (reason: string): HookResponse => ({ decision: 'none', halt: reason });

/** Keeps the agent from going on by itself. It counts even where it cannot be recorded; everything else does not. */
export function isRefusal({ decision, halt }: HookResponse): boolean {
  return decision === 'deny' || decision === 'ask' || halt !== undefined;
}

/** Why, in the words for a person: without the instruction to the model. */
export const reasonForPerson = ({
  reason,
  explanation,
}: Pick<HookResponse, 'reason' | 'explanation'>): string | undefined => explanation ?? reason;

/** The reason for its reader: for a person, if one is asked. */
export const reasonShown = (response: HookResponse): string | undefined =>
  response.decision === 'ask' ? reasonForPerson(response) : response.reason;

/** The things a response can ask for. An agent's `supports` table says of each whether it can be had. */
export const EFFECTS = [
  'deny',
  'ask',
  'allow',
  'rewrite',
  'context',
  'systemMessage',
  'halt',
  'replaceOutput',
  'grants',
  'env',
  'llmRequest',
  'llmResponse',
  'toolConfig',
] as const;
export type Effect = (typeof EFFECTS)[number];

/** Which effects a response asks for. */
export function effectsOf(response: HookResponse): Effect[] {
  const effects: Effect[] = [];
  if (response.decision !== 'none') effects.push(response.decision);
  if (response.modifyArgs !== undefined) effects.push('rewrite');
  for (const effect of EFFECTS) {
    if (effect in response && response[effect as keyof HookResponse] !== undefined) effects.push(effect);
  }
  return effects;
}

/** What a response can ask for beyond the table: hardly any agent has a way to do it. */
export const EXTRA_EFFECTS = ['triggerAction', 'suppressOutput'] as const;
export type ExtraEffect = (typeof EXTRA_EFFECTS)[number];

/** Something a response asked for that was not delivered to the agent, or only in a different way. */
export interface Degradation {
  readonly effect: Effect | ExtraEffect | 'native';
  readonly reason: string;
  /** What was delivered in its place, where that is more than nothing. */
  readonly instead?: 'deny';
}
