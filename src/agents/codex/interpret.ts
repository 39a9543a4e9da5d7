import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { entryOf } from '../../model/lookup.ts';
import type { HookResponse } from '../../model/responses.ts';
import {
  addChanges,
  answered,
  describeExit,
  failed,
  type HookRun,
  type Presented,
  parseRecord,
  type ResponseDraft,
  silent,
  textIn,
  unfinished,
  type Verdict,
} from '../kit/dialect.ts';

const REFUSABLE: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
]);
/** Where plain text goes to the model. */
const TEXT_IS_CONTEXT: ReadonlySet<string> = new Set(['UserPromptSubmit', 'SessionStart', 'SubagentStart']);
const TURN_END: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

/** How 0.166.0 reads a hook's exit code and output: its parser is strict, and what it rejects is a failure. */
export function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const cut = unfinished(run);
  if (cut) return cut;
  const { event } = presented;
  if (run.exit === 2) {
    const reason = run.stderr.trim();
    if (reason === '') return failed('it ended with code 2 and gave no reason on stderr');
    return REFUSABLE.has(event) ? answered({ decision: 'deny', reason }) : failed(describeExit(2, reason));
  }
  if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
  const text = run.stdout.trim();
  if (text === '') return silent();
  if (!text.startsWith('{')) {
    if (TEXT_IS_CONTEXT.has(event)) return answered({ decision: 'none', context: text });
    return TURN_END.has(event) ? failed('it printed text that is not JSON') : silent();
  }
  const output = parseRecord(text);
  const problem = output === null ? 'it printed broken JSON' : outputProblem(event, output);
  if (output === null || problem !== null) return failed(problem ?? '');
  return answered(responseOf(presented, output));
}

function responseOf(presented: Presented, output: Record<string, unknown>): HookResponse {
  const own = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const draft: ResponseDraft = { decision: 'none' };
  const message = textIn(output.systemMessage);
  if (message !== undefined) draft.systemMessage = message;
  const context = textIn(own.additionalContext);
  if (context !== undefined) draft.context = context;
  const reason = textIn(output.reason) ?? textIn(own.permissionDecisionReason);
  if (output.decision === 'block' || own.permissionDecision === 'deny')
    Object.assign(draft, { decision: 'deny', reason: reason ?? 'Blocked by a hook.' });
  if (presented.event === 'PermissionRequest' && isObject(own.decision)) dialog(own.decision, draft);
  // "allow" is only the word that a change of arguments has to come with: it skips nothing.
  addChanges(presented, own.updatedInput, draft);
  if (output.continue === false) stop(presented.event, output, draft);
  return draft;
}

function dialog(decision: Record<string, unknown>, draft: ResponseDraft): void {
  if (decision.behavior === 'allow') draft.decision = 'allow';
  if (decision.behavior === 'deny')
    Object.assign(draft, { decision: 'deny', reason: textIn(decision.message) ?? 'Denied by a hook.' });
}

function stop(event: string, output: Record<string, unknown>, draft: ResponseDraft): void {
  const reason = textIn(output.stopReason) ?? 'Stopped by a hook.';
  if (event === 'PostToolUse' || event === 'UserPromptSubmit' || event === 'PreCompact') {
    // The output is replaced, the prompt not sent, the compaction not made; the turn as such is not what is ended.
    Object.assign(draft, { decision: 'deny', reason });
    return;
  }
  draft.halt = reason;
  if (TURN_END.has(event)) {
    draft.decision = 'none';
    delete draft.reason;
  }
}

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
    if (!isObject(own)) return 'its hookSpecificOutput is not an object';
    if (own.hookEventName !== event) return `its hookEventName is not ${event}`;
    const allowed = ['hookEventName', ...(entryOf(OWN, event) ?? [])];
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
    if (output.suppressOutput !== undefined) return 'it printed suppressOutput, which Codex rejects here';
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
    if (output[key] !== undefined) return `it printed ${key}, which Codex rejects on PreToolUse`;
  if (output.continue === false) return 'it printed continue:false, which Codex rejects on PreToolUse';
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
    if (output[key] !== undefined) return `it printed ${key}, which Codex rejects on PermissionRequest`;
  if (output.continue === false) return 'it printed continue:false, which Codex rejects on PermissionRequest';
  const decision = isObject(own.decision) ? own.decision : {};
  const extra = ['updatedInput', 'updatedPermissions', 'interrupt'].find(
    (key) => decision[key] !== undefined && decision[key] !== false,
  );
  return extra === undefined ? null : `Codex does not take ${extra} in the answer to a permission request`;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
