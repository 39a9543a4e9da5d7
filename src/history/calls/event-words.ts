import type { EventType } from '../../model/events.ts';
import { OWN_SOURCE } from '../../model/people/access.ts';
import type { EventBrief } from './event-brief.ts';
import type { CallOutcome } from './outcome.ts';

/** Names of events outside the protocol. */
const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  session_start: 'session started',
  session_end: 'session ended',
  setup: 'set up',
  before_agent: 'prompt',
  user_prompt_expansion: 'prompt command',
  after_agent: 'reply',
  stop: 'reply',
  stop_failure: 'turn failed',
  interrupt: 'interrupted',
  before_tool: 'tool call',
  after_tool: 'tool result',
  post_tool_batch: 'tool results',
  before_tool_selection: 'choice of tools',
  before_model: 'model request',
  after_model: 'model answer',
  permission_request: 'permission asked',
  permission_denied: 'permission denied',
  pre_compact: 'compacting',
  post_compact: 'compacted',
  pre_model_switch: 'switching model',
  post_model_switch: 'model switched',
  subagent_start: 'subagent started',
  subagent_stop: 'subagent ended',
  teammate_idle: 'teammate idle',
  task_created: 'task created',
  task_completed: 'task completed',
  notification: 'notification',
  elicitation: 'question',
  elicitation_result: 'question answered',
  config_change: 'settings changed',
  instructions_loaded: 'instructions read',
  cwd_changed: 'folder changed',
  file_changed: 'file changed',
  directory_added: 'folder added',
  worktree_create: 'worktree made',
  worktree_remove: 'worktree removed',
  message_display: 'message',
  unknown: 'unknown event',
};

export function eventWord({ type }: EventBrief): string {
  return EVENT_WORDS[type];
}

/** Events that matter on their own: requests and results. */
const STORY: ReadonlySet<EventType> = new Set([
  'session_start',
  'session_end',
  'before_agent',
  'stop_failure',
  'interrupt',
  'subagent_start',
  'subagent_stop',
  'task_created',
  'task_completed',
  'elicitation',
]);
/** Listed only if they have text. */
const SAYINGS: ReadonlySet<EventType> = new Set(['after_agent', 'stop', 'unknown']);

/**
 * True for events without a decision or text, which only matter when debugging the protocol. Never true for Hookline's
 * own events, such as paused rules, changed settings or findings about the home.
 */
export function isProtocol({ type, source, subject, delivered, tool }: EventBrief): boolean {
  if (source === OWN_SOURCE) return false;
  if (tool !== null || delivered === 'deny' || delivered === 'ask') return false;
  return !(STORY.has(type) || (SAYINGS.has(type) && subject !== ''));
}

/** The outcome of an event without a call. Most have none. */
export function eventEnding({ type, delivered, by, answered, decision }: EventBrief): CallOutcome | null {
  const rules = by.length > 0 ? `${by[0]}${by.length > 1 ? ` +${by.length - 1}` : ''}` : '';
  const who = rules && ` by ${rules}`;
  const unasked = `denied, agent can't ask${rules && ` (${rules})`}`;
  if (delivered === 'deny')
    return { outcome: 'denied', words: answered ?? (decision === 'ask' ? unasked : `denied${who}`) };
  if (type === 'stop_failure') return { outcome: 'failed', words: 'failed' };
  if (delivered === 'ask') return { outcome: 'waiting', words: `needed approval${who}` };
  return delivered === 'allow' && answered !== null ? { outcome: 'allowed', words: answered } : null;
}
