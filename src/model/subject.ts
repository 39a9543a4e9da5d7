import { type EventBase, type EventOf, type EventType, type HookEvent, isToolEvent } from './events.ts';
import type { FileOperation, ToolCall } from './tools.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Argument names that hold the subject of a call, across all agents, the best first. */
const SUBJECT_FIELDS = ['url', 'pattern', 'query', 'subject', 'description', 'message', 'prompt', 'plan'];

/**
 * The subject of a call: the command, the files, the questions, the address. Full text: a surface with a single line
 * shortens it with `oneLine`.
 */
export function callSubject({
  command,
  files,
  input,
}: Pick<ToolCall, 'command' | 'files' | 'input'>): string {
  if (command !== null) return command;
  // The subject of a patch is its files, not its text.
  return files.length > 0 ? filesSubject(files) : inputSubject(input);
}

/** The subject of an event; empty if it only says that it happened. */
export function eventSubject(event: HookEvent): string {
  if (event.type === 'notification' && event.title)
    return [event.title, event.message].filter(Boolean).join(': ');
  return isToolEvent(event) ? callSubject(event.tool) : firstText({ ...event }, EVENT_FIELDS[event.type]);
}

/** A call in a few words: a command stands for itself, any other call starts with its tool. */
export function callTitle(tool: Pick<ToolCall, 'name' | 'command' | 'files' | 'input'>): string {
  return tool.command ?? [tool.name, callSubject(tool)].filter(Boolean).join(' ');
}

/** An event in a few words: its type if it has no subject. */
export function eventTitle(event: HookEvent): string {
  return isToolEvent(event) ? callTitle(event.tool) : eventSubject(event) || event.type;
}

/** The fields that hold an event's subject, the best first. */
const EVENT_FIELDS: {
  readonly [T in EventType]: readonly Exclude<keyof EventOf<T>, keyof EventBase | 'type'>[];
} = {
  session_start: ['trigger'],
  session_end: ['reason'],
  setup: ['trigger'],
  before_agent: ['prompt'],
  user_prompt_expansion: ['prompt'],
  after_agent: ['lastAssistantMessage'],
  stop: ['lastAssistantMessage'],
  stop_failure: ['error'],
  interrupt: ['reason'],
  before_tool: [],
  after_tool: [],
  post_tool_batch: [],
  before_tool_selection: [],
  before_model: [],
  after_model: [],
  permission_request: [],
  permission_denied: [],
  pre_compact: ['trigger'],
  post_compact: ['trigger'],
  pre_model_switch: ['toModel'],
  post_model_switch: ['toModel'],
  subagent_start: ['subagentType'],
  subagent_stop: ['lastAssistantMessage', 'subagentType'],
  teammate_idle: ['teammate'],
  task_created: ['subject'],
  task_completed: ['subject'],
  notification: ['message'],
  elicitation: ['message'],
  elicitation_result: ['action'],
  config_change: ['path', 'scope'],
  instructions_loaded: ['path'],
  cwd_changed: ['to'],
  file_changed: ['path'],
  directory_added: ['path'],
  worktree_create: ['name'],
  worktree_remove: ['path'],
  message_display: ['delta'],
  unknown: ['problem'],
};

/** Names deletions and moves, because the tool's name does not. */
function filesSubject(files: readonly FileOperation[]): string {
  const texts = files.map(({ op, path, to }) => {
    if (op === 'delete') return `delete ${path}`;
    return to === undefined ? path : `${path} → ${to}`;
  });
  return [...new Set(texts)].join(', ');
}

function inputSubject(input: Fields): string {
  const subject = questionsIn(input) || firstText(input, SUBJECT_FIELDS);
  if (subject !== '') return subject;
  const values = Object.values(input);
  const [only, ...others] = values.filter((value) => typeof value === 'string' && value.trim() !== '');
  if (typeof only === 'string' && others.length === 0) return only;
  return values.length === 0 ? '' : toJson(input);
}

function questionsIn({ questions }: Fields): string {
  if (!Array.isArray(questions)) return '';
  return questions
    .map((one: unknown) =>
      typeof one === 'object' && one !== null ? firstText({ ...one }, ['question']) : '',
    )
    .join(' ')
    .trim();
}

function firstText(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return '';
}

/** Arguments nested deeper than the stack have no JSON, and must not keep a rule from giving its reason. */
function toJson(input: Fields): string {
  try {
    return JSON.stringify(input);
  } catch {
    return '';
  }
}
