import { isObject } from '../loose-json.ts';

const TOP: readonly string[] = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
];

const OWN: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PermissionRequest: ['decision'],
  PostToolUse: ['additionalContext', 'updatedMCPToolOutput'],
  UserPromptSubmit: ['additionalContext'],
  SessionStart: ['additionalContext'],
  SubagentStart: ['additionalContext'],
};

const NO_OUTPUT: ReadonlySet<string> = new Set(['SessionEnd', 'PreModelRequest', 'PostModelRequest']);

/** Why 0.166.0 would call this output a failure and go on as if nothing had been said; null when it would not. */
export function outputProblem(event: string, output: Readonly<Record<string, unknown>>): string | null {
  if (NO_OUTPUT.has(event)) return null;
  const unknown = Object.keys(output).find((key) => !TOP.includes(key));
  if (unknown !== undefined)
    return `it printed the key "${unknown}", which makes Codex drop the whole answer`;
  const own = output.hookSpecificOutput;
  if (own !== undefined && own !== null) {
    if (!isObject(own)) return 'its hookSpecificOutput is no object';
    if (own.hookEventName !== event) return `its hookEventName is not ${event}`;
    const allowed = ['hookEventName', ...(OWN[event] ?? [])];
    const extra = Object.keys(own).find((key) => !allowed.includes(key));
    if (extra !== undefined)
      return `it printed hookSpecificOutput.${extra}, which Codex does not take on ${event}`;
  }
  if (output.decision !== undefined && output.decision !== 'block')
    return `its decision is ${JSON.stringify(output.decision)}; Codex knows only "block"`;
  if (output.decision === 'block' && !isText(output.reason)) return 'it blocks without a reason';
  const specific = isObject(own) ? own : {};
  if (event === 'PreToolUse') return toolProblem(output, specific);
  if (event === 'PermissionRequest') return dialogProblem(output, specific);
  if (event === 'PostToolUse') {
    if (output.suppressOutput !== undefined) return 'it printed suppressOutput, which Codex refuses here';
    if (specific.updatedMCPToolOutput !== undefined) return 'Codex does not take updatedMCPToolOutput';
  }
  if (event === 'Interrupt' && Object.keys(output).some((key) => key !== 'systemMessage'))
    return 'on Interrupt Codex takes only systemMessage';
  return null;
}

function toolProblem(
  output: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): string | null {
  for (const key of ['stopReason', 'suppressOutput'])
    if (output[key] !== undefined) return `it printed ${key}, which Codex refuses on PreToolUse`;
  if (output.continue === false) return 'it printed continue:false, which Codex refuses on PreToolUse';
  if (output.reason !== undefined && output.decision === undefined)
    return 'it gives a reason without a decision';
  const { permissionDecision: decision, updatedInput } = own;
  if (decision === 'ask') return 'Codex cannot ask here';
  if (decision === 'allow' && updatedInput === undefined)
    return 'a bare "allow" is an error: for Codex silence is the permission';
  if (updatedInput !== undefined && decision !== 'allow')
    return 'updatedInput counts only together with "allow"';
  if (decision === 'deny' && !isText(own.permissionDecisionReason)) return 'it denies without a reason';
  return null;
}

function dialogProblem(
  output: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): string | null {
  for (const key of ['stopReason', 'suppressOutput'])
    if (output[key] !== undefined) return `it printed ${key}, which Codex refuses on PermissionRequest`;
  if (output.continue === false) return 'it printed continue:false, which Codex refuses on PermissionRequest';
  const decision = isObject(own.decision) ? own.decision : {};
  const extra = ['updatedInput', 'updatedPermissions', 'interrupt'].find(
    (key) => decision[key] !== undefined && decision[key] !== false,
  );
  return extra === undefined ? null : `Codex does not take ${extra} in the answer to a permission request`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
