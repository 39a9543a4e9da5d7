import type { HookEvent } from '../../model/events.ts';
import type { NativeAnswer } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import { type AnswerDraft, type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { sessionEnvLines } from '../kit/session-env.ts';
import { REFUSAL, refusedByExit } from '../refusals.ts';
import { decide } from './decision.ts';
import { type NativeEvent, payloads } from './decode.ts';
import { replacementFor } from './tools.ts';

type FieldKind = 'string' | 'boolean' | 'strings';

/** What Claude Code 2.1.325 reads in the answer to one event. */
export interface Form extends AnswerForm {
  /** Lines appended to CLAUDE_ENV_FILE reach later commands. */
  readonly env?: true;
  /** `terminalSequence` is read. */
  readonly terminal?: true;
  /** Fields of `hookSpecificOutput` that only this client has. One of a wrong type voids the whole answer. */
  readonly fields?: Readonly<Record<string, FieldKind>>;
}

const STOP: Form = {
  refusal: 'block',
  // Not `own`: additionalContext on its own makes the agent go on working.
  context: 'in-refusal',
  halt: 'wins',
  systemMessage: true,
  terminal: true,
};
const TASK: Form = { refusal: 'block', context: 'in-refusal', terminal: true };

const FORMS: Readonly<Record<NativeEvent, Form>> = {
  PreToolUse: { refusal: 'permission', context: 'own', halt: 'turn', systemMessage: true, terminal: true },
  PermissionRequest: { refusal: 'dialog', context: 'in-refusal', terminal: true },
  PermissionDenied: { fields: { retry: 'boolean' } },
  PostToolUse: {
    refusal: 'block',
    context: 'own',
    halt: 'turn',
    systemMessage: true,
    terminal: true,
    fields: { classifierContext: 'string' },
  },
  PostToolUseFailure: { refusal: 'block', context: 'own', systemMessage: true, terminal: true },
  PostToolBatch: { refusal: 'block', context: 'own', halt: 'turn', systemMessage: true, terminal: true },
  UserPromptSubmit: {
    refusal: 'block',
    context: 'unless-refused',
    halt: 'turn',
    systemMessage: true,
    terminal: true,
    fields: { sessionTitle: 'string', suppressOriginalPrompt: 'boolean' },
  },
  UserPromptExpansion: {
    refusal: 'block',
    context: 'unless-refused',
    halt: 'refuse',
    systemMessage: true,
    terminal: true,
    fields: { suppressOriginalPrompt: 'boolean' },
  },
  SessionStart: {
    context: 'own',
    systemMessage: true,
    env: true,
    terminal: true,
    fields: {
      initialUserMessage: 'string',
      sessionTitle: 'string',
      watchPaths: 'strings',
      reloadSkills: 'boolean',
    },
  },
  Setup: { context: 'own', systemMessage: true, env: true, terminal: true },
  SessionEnd: {},
  Stop: STOP,
  SubagentStop: STOP,
  StopFailure: {},
  SubagentStart: { context: 'own', systemMessage: true, terminal: true },
  TeammateIdle: { refusal: 'exit', context: 'in-refusal', halt: 'wins' },
  TaskCreated: TASK,
  TaskCompleted: TASK,
  PreCompact: { refusal: 'block', terminal: true },
  PostCompact: {},
  PreModelSwitch: { refusal: 'permission', terminal: true },
  PostModelSwitch: { context: 'own', terminal: true },
  Notification: { terminal: true },
  Elicitation: { refusal: 'decline', terminal: true },
  ElicitationResult: { refusal: 'decline', terminal: true },
  ConfigChange: { refusal: 'block', terminal: true },
  InstructionsLoaded: {},
  CwdChanged: { systemMessage: true, env: true, terminal: true, fields: { watchPaths: 'strings' } },
  FileChanged: { env: true, terminal: true, fields: { watchPaths: 'strings' } },
  DirectoryAdded: { systemMessage: true, terminal: true },
  // Read from HTTP hooks only: a command hook has to print the bare path, which is not an answer of ours.
  WorktreeCreate: { refusal: 'exit', fields: { worktreePath: 'string' } },
  WorktreeRemove: {},
  MessageDisplay: {},
};

export const refusals: Readonly<Record<string, NativeAnswer>> = {
  ...refusedByExit(['PreToolUse', 'UserPromptSubmit', 'UserPromptExpansion']),
  // Exit code 2 means nothing here (2.1.325).
  PermissionRequest: {
    action: 'json_output',
    stdout_json: {
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: REFUSAL },
      },
    },
  },
};

// Refusing these guards nothing: the call has happened, or the agent would only be kept from stopping.
const UNGUARDED: ReadonlySet<string> = new Set<NativeEvent>([
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'SubagentStop',
  'TeammateIdle',
]);

/**
 * 2.1.325 takes exit code 2 for a missing script, and lets things pass, if stderr has these words. A no-break space keeps
 * them readable and out of its pattern.
 */
export function stderrText(text: string): string {
  return text.replace(/no such file|can't open/gi, (words) => words.replaceAll(' ', '\u00a0'));
}

/** Answers as 2.1.325 honours them on each event. */
export const { formOf, encode } = hookAnswers({
  payloads,
  forms: FORMS,
  hidesOutput: true,
  guards: (event) => !UNGUARDED.has(event),
  stderr: stderrText,
  fill(draft, event, response, env) {
    decide(event, response, draft);
    // A call that is not refused runs first, and only then the turn ends.
    if (draft.halt(response) && (event.type !== 'before_tool' || draft.refused)) draft.deliver('halt');
    draft.addContext(response);
    draft.addMessage(response);
    replaceOutput(event, response, draft);
    addFields(response, draft);
    return variables(draft, response, env);
  },
});

function variables(draft: AnswerDraft, response: HookResponse, env: Readonly<Record<string, string>>) {
  if (!formOf(draft.nativeEvent)?.env) return [];
  return sessionEnvLines(draft, response, { env, variable: 'CLAUDE_ENV_FILE' });
}

function replaceOutput(event: HookEvent, { replaceOutput: wanted }: HookResponse, draft: AnswerDraft): void {
  if (wanted === undefined) return;
  if (event.type === 'message_display') {
    if (typeof wanted !== 'string') {
      draft.drop('replaceOutput', 'Only a text can be shown in place of a message.');
      return;
    }
    draft.own.displayContent = wanted;
    draft.deliver('replaceOutput');
  } else if (event.type === 'after_tool') {
    if (event.nativeEvent !== 'PostToolUse') {
      draft.drop('replaceOutput', 'The output of a failed call cannot be replaced.');
      return;
    }
    const replacement = replacementFor(event.tool, wanted);
    if (!replacement.ok) {
      draft.drop('replaceOutput', replacement.reason);
      return;
    }
    draft.own.updatedToolOutput = replacement.output;
    draft.deliver('replaceOutput');
  }
}

/** Fields that only this client has. They never override a decision. */
function addFields(response: HookResponse, draft: AnswerDraft): void {
  const { decision, native } = response;
  const form = formOf(draft.nativeEvent) ?? {};
  draft.addFields(native?.claude, (key, value) => {
    if (draft.isExit) return null;
    if (key === 'terminalSequence' && form.terminal && typeof value === 'string') return draft.top;
    const contradicts = key === 'retry' && decision !== 'none' && decision !== 'allow';
    return contradicts || !isField(form, key, value) ? null : draft.own;
  });
}

function isField({ fields = {} }: Form, key: string, value: unknown): boolean {
  if (!Object.hasOwn(fields, key)) return false;
  if (fields[key] === 'strings')
    return Array.isArray(value) && value.every((item) => typeof item === 'string');
  return typeof value === fields[key];
}
