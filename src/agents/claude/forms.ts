import type { NativeEvent } from './names.ts';

/** How an event is told "this may not happen". */
export type Refusal =
  /** `hookSpecificOutput.permissionDecision`, which also knows ask and allow. */
  | 'permission'
  /** `hookSpecificOutput.decision.behavior`: the only thing PermissionRequest reads. */
  | 'dialog'
  /** Top-level `decision: "block"` with a `reason`. */
  | 'block'
  /** `hookSpecificOutput.action: "decline"`. */
  | 'decline'
  /** Exit code 2 and stderr, where no JSON is known to do it. */
  | 'exit';

export type FieldKind = 'string' | 'boolean' | 'strings';

/** What Claude Code 2.1.325 reads in the answer to one event. What is absent it ignores or throws away. */
export interface Form {
  readonly refusal?: Refusal;
  /**
   * `own`: as `additionalContext`. `unless-refused`: the same, but a refusal throws it away with the prompt.
   * `in-refusal`: the model sees nothing but the reason of a refusal.
   */
  readonly context?: 'own' | 'unless-refused' | 'in-refusal';
  /** `turn`: `continue: false`. `wins`: the same, and it beats a refusal. `refuse`: only by refusing. */
  readonly halt?: 'turn' | 'wins' | 'refuse';
  readonly systemMessage?: true;
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

export const FORMS: Readonly<Record<NativeEvent, Form>> = {
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
  // Read from HTTP hooks only: a command hook has to print the bare path, which is no answer of ours.
  WorktreeCreate: { refusal: 'exit', fields: { worktreePath: 'string' } },
  WorktreeRemove: {},
  MessageDisplay: {},
};

/** What is read on an event, or null for one that this version does not have. */
export function formOf(nativeEvent: string): Form | null {
  return isNativeEvent(nativeEvent) ? FORMS[nativeEvent] : null;
}

function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(FORMS, name);
}
