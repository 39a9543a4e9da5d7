import type { FieldsOf, OtherType } from './event-description.ts';

const TURN = { stopHookActive: false, lastAssistantMessage: null, backgroundTasks: [] };
const TASK = { taskId: '1', subject: '', description: null, teammate: null };
const MODELS = { fromModel: '', toModel: '', trigger: 'manual' };

/** Defaults for the fields of an event. */
export const EVENT_DEFAULTS: { readonly [T in OtherType]: FieldsOf<T> } = {
  session_start: { trigger: 'startup', model: null, title: null },
  session_end: { reason: 'other' },
  setup: { trigger: 'init' },
  before_agent: { prompt: '', title: null },
  user_prompt_expansion: { prompt: '', commandName: '', commandArgs: '', expansion: '' },
  after_agent: { ...TURN, prompt: null },
  stop: TURN,
  stop_failure: { error: '', details: null, lastAssistantMessage: null },
  interrupt: { reason: null },
  post_tool_batch: { calls: [] },
  before_tool_selection: { request: {} },
  before_model: { request: {} },
  after_model: { request: {}, response: {} },
  pre_compact: { trigger: 'auto', instructions: null },
  post_compact: { trigger: 'auto', summary: null },
  pre_model_switch: MODELS,
  post_model_switch: MODELS,
  subagent_start: { subagentId: null, subagentType: 'general-purpose' },
  subagent_stop: { ...TURN, subagentId: null, subagentType: 'general-purpose', subagentTranscriptPath: null },
  teammate_idle: { teammate: '', team: null },
  task_created: TASK,
  task_completed: TASK,
  notification: { message: '', title: null, kind: 'other' },
  elicitation: { server: '', message: '', mode: 'form', schema: null },
  elicitation_result: { server: '', action: 'accept', content: null },
  config_change: { scope: 'user', path: null },
  instructions_loaded: { path: '', scope: 'project', reason: 'start' },
  cwd_changed: { from: '', to: '' },
  file_changed: { path: '', change: 'change' },
  directory_added: { path: '', trigger: 'manual' },
  worktree_create: { name: '' },
  worktree_remove: { path: '' },
  message_display: { messageId: '1', index: 0, final: true, delta: '' },
  unknown: { problem: null },
};
