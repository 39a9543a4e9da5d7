import type { NativeEvent } from './wire.ts';

/** How an event is told "this may not happen". */
export type Refusal =
  /** `hookSpecificOutput.permissionDecision: "deny"`. */
  | 'permission'
  /** `hookSpecificOutput.decision.behavior: "deny"`. */
  | 'dialog'
  /** Top-level `decision: "block"` with a `reason`. */
  | 'block'
  /** `continue: false`, which on this event keeps the thing from happening. */
  | 'stop';

/**
 * What Codex 0.166.0 reads in the answer to one event. Its parser is strict: anything else voids the whole answer, and
 * then the thing that was to be stopped happens.
 */
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
  /** An answer without `hookSpecificOutput` is invalid. */
  readonly needsOwn?: true;
}

const STOP: Form = { refusal: 'block', context: 'in-refusal', halt: 'wins', systemMessage: true };

export const FORMS: Readonly<Record<NativeEvent, Form>> = {
  SessionStart: { context: 'own', halt: 'turn', systemMessage: true, needsOwn: true },
  UserPromptSubmit: { refusal: 'block', context: 'unless-refused', halt: 'turn', systemMessage: true },
  // Whatever these two print is ignored or an error.
  PreModelRequest: {},
  PostModelRequest: {},
  // `continue: false` voids the answer on both, so that only a refusal is left to keep the turn from going on.
  PreToolUse: { refusal: 'permission', context: 'own', halt: 'refuse', systemMessage: true },
  PermissionRequest: { refusal: 'dialog', context: 'in-refusal', halt: 'refuse', systemMessage: true },
  PostToolUse: { refusal: 'block', context: 'own', systemMessage: true },
  PreCompact: { refusal: 'stop', halt: 'turn', systemMessage: true },
  PostCompact: { systemMessage: true },
  // `continue: false` is accepted and has no effect.
  SubagentStart: { context: 'own', systemMessage: true, needsOwn: true },
  SubagentStop: STOP,
  Stop: STOP,
  Interrupt: { systemMessage: true },
  SessionEnd: {},
};

/** What is read on an event, or null for one that this version does not have. */
export function formOf(nativeEvent: string): Form | null {
  return isNativeEvent(nativeEvent) ? FORMS[nativeEvent] : null;
}

function isNativeEvent(name: string): name is NativeEvent {
  return Object.hasOwn(FORMS, name);
}
