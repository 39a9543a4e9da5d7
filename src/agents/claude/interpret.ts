import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import type { Grant, HookResponse } from '../../model/responses.ts';
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
import { type Form, formOf } from './encode.ts';
import { permissionUpdate } from './wire.ts';

/** A field of a wrong type, or a word that does not exist, voids the whole answer (2.1.325). */
const answer = v.looseObject({
  continue: v.optional(v.boolean()),
  stopReason: v.optional(v.string()),
  suppressOutput: v.optional(v.boolean()),
  systemMessage: v.optional(v.string()),
  terminalSequence: v.optional(v.string()),
  decision: v.optional(v.picklist(['approve', 'block'])),
  reason: v.optional(v.string()),
  hookSpecificOutput: v.optional(
    v.looseObject({
      hookEventName: v.string(),
      permissionDecision: v.optional(v.picklist(['allow', 'deny', 'ask', 'defer'])),
      permissionDecisionReason: v.optional(v.string()),
      additionalContext: v.optional(v.string()),
      updatedInput: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});
type Answer = v.InferOutput<typeof answer>;

/** Where plain text goes to the model. */
const TEXT_IS_CONTEXT: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'PostModelSwitch',
  'PreCompact',
]);
const MISSING_IS_NO_BLOCK: ReadonlySet<string> = new Set([
  'Stop',
  'SubagentStop',
  'TaskCompleted',
  'TeammateIdle',
]);

/** How 2.1.325 reads a hook's exit code and output on this event. */
export function interpret(event: HookEvent, presented: Presented, run: HookRun): Verdict {
  const cut = unfinished(run);
  if (cut) return cut;
  const form = formOf(presented.event) ?? {};
  const env = exported(run.envFile ?? '');
  const given = read(run.stdout, presented.event);
  if (run.exit === 2) return refusedByExit(presented.event, form, given, run);
  if ('problem' in given) return failed(given.problem);
  if (given.answer === null) {
    if (run.exit !== 0) return failed(describeExit(run.exit ?? 1, run.stderr));
    const said = TEXT_IS_CONTEXT.has(presented.event) && given.text !== '' ? { context: given.text } : {};
    return answered({ decision: 'none', ...said, ...env });
  }
  if (given.answer.async === true) return silent();
  return answered({ ...responseOf(event, presented, form, given.answer), ...env });
}

type Given =
  | { readonly answer: Answer; readonly text: '' }
  | { readonly answer: null; readonly text: string }
  | { readonly problem: string };

function read(stdout: string, event: string): Given {
  const text = stdout.trim();
  // Text that only begins like JSON is text.
  if (!text.startsWith('{') || (parseRecord(text) === null && !text.endsWith('}')))
    return { answer: null, text };
  const parsed = v.safeParse(answer, parseRecord(text));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = v.getDotPath(issue);
    return { problem: `its JSON is not an answer${place ? ` (${place} is not ${issue.expected})` : ''}` };
  }
  const named = parsed.output.hookSpecificOutput?.hookEventName;
  if (named !== undefined && named !== event)
    return { problem: `its hookSpecificOutput is for ${named}, not for ${event}` };
  return { answer: parsed.output, text: '' };
}

function refusedByExit(event: string, form: Form, given: Given, run: HookRun): Verdict {
  const stderr = run.stderr.trim();
  // An interpreter that does not find its script ends with 2 as well.
  if (MISSING_IS_NO_BLOCK.has(event) && run.stdout.trim() === '' && /no such file|can't open/i.test(stderr))
    return failed('the script appears to be missing');
  if (form.refusal === undefined || form.refusal === 'dialog') return failed(describeExit(2, run.stderr));
  const json = 'answer' in given && given.answer !== null ? given.answer : null;
  const own = json?.decision === 'block' ? json.reason : json?.hookSpecificOutput?.permissionDecisionReason;
  const reason = textIn(own) ?? (stderr === '' ? 'Blocked by a hook.' : stderr);
  return answered(
    event === 'PostToolBatch' ? { decision: 'none', halt: reason } : { decision: 'deny', reason },
  );
}

function responseOf(event: HookEvent, presented: Presented, form: Form, given: Answer): HookResponse {
  const own = given.hookSpecificOutput ?? { hookEventName: presented.event };
  const draft: ResponseDraft = { decision: 'none' };
  decide(presented, form, given, own, draft);
  // On a turn's end "continue: false" means: do end it, whatever else was said.
  if (given.continue === false && (form.halt === 'turn' || form.halt === 'wins')) {
    draft.halt = given.stopReason ?? given.reason ?? 'Stopped by a hook.';
    if (form.halt === 'wins') {
      draft.decision = 'none';
      delete draft.reason;
    }
  }
  addContext(form, own, draft);
  if (given.systemMessage) draft.systemMessage = given.systemMessage;
  if (given.suppressOutput) draft.suppressOutput = true;
  const output = own.updatedToolOutput ?? own.updatedMCPToolOutput ?? own.displayContent;
  if (output !== undefined && (event.type === 'after_tool' || event.type === 'message_display'))
    draft.replaceOutput = output;
  const native = nativeFields(form, given, own);
  if (Object.keys(native).length > 0) draft.native = { claude: native };
  return draft;
}

type Own = NonNullable<Answer['hookSpecificOutput']>;

function decide(presented: Presented, form: Form, given: Answer, own: Own, draft: ResponseDraft): void {
  if (form.refusal === 'dialog') {
    dialog(presented, own.decision, draft);
    return;
  }
  if (form.refusal === 'decline') {
    elicitation(own, draft);
    return;
  }
  if (presented.event === 'PermissionDenied') {
    if (own.retry === true) draft.decision = 'allow';
    return;
  }
  if (given.decision === 'block' && form.refusal !== undefined) {
    const reason = given.reason ?? 'Blocked by a hook.';
    if (presented.event === 'PostToolBatch') draft.halt = reason;
    else Object.assign(draft, { decision: 'deny', reason });
    return;
  }
  if (form.refusal !== 'permission') return;
  const wanted = own.permissionDecision ?? (given.decision === 'approve' ? 'allow' : undefined);
  // "defer" ends a run of -p to have it decided later, which Hookline can't do.
  if (wanted !== undefined && wanted !== 'defer') {
    draft.decision = wanted;
    const reason = textIn(own.permissionDecisionReason) ?? textIn(given.reason);
    if (reason !== undefined) draft.reason = reason;
    else if (wanted !== 'allow') draft.reason = wanted === 'deny' ? 'Denied by a hook.' : 'A hook asks.';
  }
  addChanges(presented, own.updatedInput, draft);
}

function dialog(presented: Presented, decision: unknown, draft: ResponseDraft): void {
  if (!isObject(decision)) return;
  if (decision.behavior === 'deny') {
    // Not "reason": the client does not read it here.
    draft.decision = 'deny';
    draft.reason = textIn(decision.message) ?? 'Permission denied by hook';
    if (decision.interrupt === true) draft.halt = draft.reason;
  } else if (decision.behavior === 'allow') {
    draft.decision = 'allow';
    addChanges(presented, decision.updatedInput, draft);
    const grants = grantsIn(decision.updatedPermissions);
    if (grants.length > 0) draft.grants = grants;
  }
}

const SCOPES: Readonly<Record<string, Grant['scope']>> = {
  session: 'session',
  localSettings: 'project',
  projectSettings: 'project',
  userSettings: 'user',
};

function grantsIn(updates: unknown): Grant[] {
  const parsed = v.safeParse(v.array(permissionUpdate), updates);
  if (!parsed.success) return [];
  return parsed.output.flatMap((update) => {
    if (!('rules' in update) || update.type !== 'addRules' || !Array.isArray(update.rules)) return [];
    const scope = SCOPES[String(update.destination)];
    const behavior = v.safeParse(v.picklist(['allow', 'deny', 'ask']), update.behavior);
    if (scope === undefined || !behavior.success) return [];
    return update.rules.flatMap((rule: unknown) =>
      isObject(rule) && typeof rule.toolName === 'string'
        ? [
            {
              behavior: behavior.output,
              tool: rule.toolName,
              pattern: typeof rule.ruleContent === 'string' ? rule.ruleContent : null,
              scope,
            },
          ]
        : [],
    );
  });
}

function elicitation(own: Own, draft: ResponseDraft): void {
  if (own.action === 'decline' || own.action === 'cancel') {
    draft.decision = 'deny';
    draft.reason = 'Declined by a hook.';
  } else if (own.action === 'accept') {
    draft.decision = 'allow';
    if (isObject(own.content)) draft.modifyArgs = own.content;
  }
}

function addContext(form: Form, own: Own, draft: ResponseDraft): void {
  const text = textIn(own.additionalContext);
  if (text === undefined) return;
  if (form.context === 'own' || form.context === 'unless-refused') draft.context = text;
  // At the end of a turn a text for the model makes it go on.
  else if (form.halt === 'wins' && form.refusal === 'block' && draft.halt === undefined)
    Object.assign(draft, { decision: 'deny', reason: draft.reason ? `${draft.reason}\n\n${text}` : text });
}

function nativeFields(form: Form, given: Answer, own: Own): Record<string, unknown> {
  const fields = Object.keys(form.fields ?? {}).filter((key) => key !== 'retry' && own[key] !== undefined);
  const native: Record<string, unknown> = Object.fromEntries(fields.map((key) => [key, own[key]]));
  if (form.terminal && given.terminalSequence) native.terminalSequence = given.terminalSequence;
  return native;
}

/** The plain assignments among the lines that a shell would read; what needs a shell is left out. */
function exported(text: string): { readonly env?: Record<string, string> } {
  const lines = text.matchAll(
    /^\s*export\s+([A-Za-z_]\w*)=(?:'([^'\n]*)'|"([^"$`\\\n]*)"|([^\s'"$`\\;&|<>()]*))\s*$/gm,
  );
  const env = Object.fromEntries([...lines].map(([, name = '', a, b, c]) => [name, a ?? b ?? c ?? '']));
  return Object.keys(env).length > 0 ? { env } : {};
}
