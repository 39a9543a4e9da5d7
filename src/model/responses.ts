/** `none` means no decision: the agent's own permission flow continues. It is never the same as `allow`. */
export type Decision = 'none' | 'allow' | 'deny' | 'ask';

/** A permission for the agent to remember, in terms that fit every agent's store. */
export interface Grant {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly tool: string;
  /** The MCP server, if all of its tools are meant. */
  readonly server?: string;
  /** Command or path pattern; null for any use of the tool. */
  readonly pattern: string | null;
  readonly scope: 'session' | 'project' | 'user';
}

export interface ToolConfig {
  readonly mode?: 'AUTO' | 'ANY' | 'NONE';
  readonly allowedFunctionNames?: readonly string[];
}

/**
 * What Hookline wants to happen. `deny` means "this may not happen" on every event: a tool does not run, a turn does
 * not end, a prompt is not sent, a conversation is not compacted.
 */
export interface HookResponse {
  readonly decision: Decision;
  /** Reason for the model. */
  readonly reason?: string;
  /** Reason for a person. */
  readonly explanation?: string;
  /** Additional context for the model. */
  readonly context?: string;
  /** Shown to the user in the terminal. */
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
  /** An action for the client itself, such as `clear`. */
  readonly triggerAction?: string;
  /** Do not show the user what the hook printed. */
  readonly suppressOutput?: boolean;
  /** Fields of a single agent, by agent id; sent unchanged, and only to that agent. */
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

/**
 * True if it keeps the agent from continuing. Such a response counts even if it can't be recorded; all others don't.
 */
export function isRefusal({ decision, halt }: HookResponse): boolean {
  return decision === 'deny' || decision === 'ask' || halt !== undefined;
}

/** The reason for a person, without the instruction to the model. */
export const reasonForPerson = ({
  reason,
  explanation,
}: Pick<HookResponse, 'reason' | 'explanation'>): string | undefined => explanation ?? reason;

/** The reason for its reader: for a person, if one is asked. */
export const reasonShown = (response: HookResponse): string | undefined =>
  response.decision === 'ask' ? reasonForPerson(response) : response.reason;

/** What a response can ask for. An agent's `supports` table says whether each is available. */
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

/** Effects beyond the table, which hardly any agent supports. */
export const EXTRA_EFFECTS = ['triggerAction', 'suppressOutput'] as const;
export type ExtraEffect = (typeof EXTRA_EFFECTS)[number];

/** An effect that was not delivered to the agent, or only in a different way. */
export interface Degradation {
  readonly effect: Effect | ExtraEffect | 'native';
  readonly reason: string;
  /** What was delivered instead, if anything. */
  readonly instead?: 'deny';
}
