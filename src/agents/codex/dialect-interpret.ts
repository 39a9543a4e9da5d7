import type { HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import {
  describeExit,
  failed,
  type HookRun,
  type Presented,
  parseRecord,
  type ResponseDraft,
  replacement,
  silent,
  textIn,
  unfinished,
  type Verdict,
} from '../dialect.ts';
import { isObject } from '../loose-json.ts';
import { outputProblem } from './output-rules.ts';

const REFUSABLE: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
]);
/** Where plain text is for the model. */
const HEARD: ReadonlySet<string> = new Set(['UserPromptSubmit', 'SessionStart', 'SubagentStart']);
const TURN_END: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

/** What 0.166.0 would make of a hook's exit code and output: its parser is strict, and what it refuses is a failure. */
export function interpret(_event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const cut = unfinished(run);
  if (cut) return cut;
  const { event } = presented;
  if (run.exit === 2) {
    const reason = run.stderr.trim();
    if (reason === '') return failed('it ended with code 2 and gave no reason on stderr');
    return REFUSABLE.has(event)
      ? { response: { decision: 'deny', reason }, problem: null }
      : failed(describeExit(2, reason));
  }
  if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
  const text = run.stdout.trim();
  if (text === '') return silent();
  if (!text.startsWith('{')) {
    if (HEARD.has(event)) return { response: { decision: 'none', context: text }, problem: null };
    return TURN_END.has(event) ? failed('it printed text that is not JSON') : silent();
  }
  const output = parseRecord(text);
  const problem = output === null ? 'it printed broken JSON' : outputProblem(event, output);
  if (output === null || problem !== null) return failed(problem ?? '');
  return { response: responseOf(presented, output), problem: null };
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
  if (isObject(own.updatedInput) && draft.decision !== 'deny') {
    const before = presented.payload.tool_input;
    const changes = replacement(isObject(before) ? before : {}, own.updatedInput);
    if (Object.keys(changes).length > 0) draft.modifyArgs = changes;
  }
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
