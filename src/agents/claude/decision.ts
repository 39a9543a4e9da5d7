import type { EventOf, HookEvent } from '../../model/events.ts';
import type { Grant, HookResponse } from '../../model/responses.ts';
import { isObject } from '../loose-json.ts';
import type { Draft } from './draft.ts';
import type { Form } from './forms.ts';
import { nativeToolName } from './tools.ts';

// These two wait for a person. 2.1.325 takes an answer from a hook only as allow together with a full updatedInput.
const INTERACTIVE: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

const DESTINATIONS = { session: 'session', project: 'localSettings', user: 'userSettings' } as const;

/** Says allow, ask or deny, and changes arguments, in the way of the event at hand. */
export function decide(event: HookEvent, form: Form, response: HookResponse, draft: Draft): void {
  switch (event.type) {
    case 'before_tool':
      beforeTool(event, form, response, draft);
      break;
    case 'permission_request':
      permissionRequest(event, form, response, draft);
      break;
    case 'permission_denied':
      permissionDenied(response, draft);
      break;
    case 'pre_model_switch':
      permission(form, response, draft);
      break;
    case 'elicitation':
      elicitation(event, form, response, draft);
      break;
    case 'elicitation_result':
      elicitationResult(event, form, response, draft);
      break;
    default:
      block(event, form, response, draft);
      break;
  }
}

/** "This may not happen", in the form of the event. Needs nothing but the name of the event. */
export function refuse(form: Form, draft: Draft, text: string): void {
  switch (form.refusal) {
    case 'permission':
      draft.own.permissionDecision = 'deny';
      draft.own.permissionDecisionReason = text;
      break;
    case 'dialog':
      // Not `reason`: the model would see only "Permission denied by hook".
      draft.own.decision = { behavior: 'deny', message: text };
      break;
    case 'block':
      draft.top.decision = 'block';
      draft.top.reason = text;
      break;
    case 'decline':
      draft.own.action = 'decline';
      break;
    case 'exit':
      draft.stderr = asRefusalOnStderr(text);
      break;
    case undefined:
      return;
  }
  draft.refused = true;
}

export function refusalText(form: Form, response: HookResponse, draft: Draft): string {
  const reason = response.reason || 'Refused by Hookline.';
  if (form.context !== 'in-refusal' || !response.context) return reason;
  draft.told.add('context');
  return `${reason}\n\n${response.context}`;
}

/** A permission does not answer a question: echoing it unanswered would answer it with nothing. */
function leavesQuestionOpen(
  { tool }: EventOf<'before_tool' | 'permission_request'>,
  response: HookResponse,
): boolean {
  return tool.kind === 'question' && response.decision === 'allow' && !response.modifyArgs;
}

const STILL_ASKED = 'A question needs an answer, not a permission: the person is asked all the same.';

function beforeTool(event: EventOf<'before_tool'>, form: Form, response: HookResponse, draft: Draft): void {
  if (leavesQuestionOpen(event, response)) {
    draft.reasons.set('allow', STILL_ASKED);
    return;
  }
  permission(form, response, draft);
  const changes = response.modifyArgs;
  if (INTERACTIVE.has(event.tool.nativeName)) {
    if (response.decision === 'allow') {
      draft.own.updatedInput = { ...event.tool.input, ...changes };
      draft.told.add('rewrite');
    } else if (changes) {
      draft.reasons.set('rewrite', `${event.tool.name} takes an answer only together with allow.`);
    }
  } else if (changes && response.decision === 'deny') {
    draft.reasons.set('rewrite', 'The call is denied, so there is nothing to change.');
  } else if (changes && Object.keys(changes).length > 0) {
    // The client replaces the whole input, and denies the call if what it gets is not complete.
    draft.own.updatedInput = { ...event.tool.input, ...changes };
    draft.told.add('rewrite');
  }
}

function permission(form: Form, response: HookResponse, draft: Draft): void {
  if (response.decision === 'none') return;
  draft.told.add(response.decision);
  if (response.decision === 'deny') {
    refuse(form, draft, refusalText(form, response, draft));
    return;
  }
  draft.own.permissionDecision = response.decision;
  if (response.reason) draft.own.permissionDecisionReason = response.reason;
}

function permissionRequest(
  event: EventOf<'permission_request'>,
  form: Form,
  response: HookResponse,
  draft: Draft,
): void {
  const { decision, grants, modifyArgs } = response;
  if (leavesQuestionOpen(event, response)) {
    draft.reasons.set('allow', STILL_ASKED);
  } else if (decision === 'allow') {
    const answer: Record<string, unknown> = { behavior: 'allow' };
    if (modifyArgs || INTERACTIVE.has(event.tool.nativeName)) {
      answer.updatedInput = { ...event.tool.input, ...modifyArgs };
    }
    // A rule that names no tool, or an empty part of one, could be read as all of it.
    const clear = grants?.filter((grant) => grant.tool !== '' && grant.pattern !== '') ?? [];
    if (clear.length > 0) answer.updatedPermissions = permissionUpdates(clear);
    if (clear.length === (grants?.length ?? 0)) draft.told.add('grants');
    else draft.reasons.set('grants', 'A grant without a tool, or with an empty pattern, is not remembered.');
    draft.own.decision = answer;
    draft.told.add('allow').add('rewrite');
  } else if (decision === 'deny') {
    const text = refusalText(form, response, draft);
    refuse(form, draft, text);
    if (response.halt !== undefined) {
      draft.own.decision = { behavior: 'deny', message: text, interrupt: true };
      draft.told.add('halt');
    }
    draft.told.add('deny');
  } else if (decision === 'ask') {
    // The dialog that is about to open is the asking: silence leaves it to the person.
    draft.told.add('ask');
  }
}

interface AddRules {
  readonly type: 'addRules';
  readonly rules: { toolName: string; ruleContent?: string }[];
  readonly behavior: Grant['behavior'];
  readonly destination: string;
}

/** One update for each pair of behaviour and place, in the order in which they first appear. */
function permissionUpdates(grants: readonly Grant[]): AddRules[] {
  const updates = new Map<string, AddRules>();
  for (const grant of grants) {
    const destination = DESTINATIONS[grant.scope];
    const key = `${grant.behavior} ${destination}`;
    const update: AddRules = updates.get(key) ?? {
      type: 'addRules',
      rules: [],
      behavior: grant.behavior,
      destination,
    };
    const toolName = nativeToolName(grant.tool);
    update.rules.push(grant.pattern === null ? { toolName } : { toolName, ruleContent: grant.pattern });
    updates.set(key, update);
  }
  return [...updates.values()];
}

function permissionDenied(response: HookResponse, draft: Draft): void {
  if (response.decision === 'allow') draft.own.retry = true;
  if (response.decision === 'deny') draft.told.add('deny');
}

function elicitation(event: EventOf<'elicitation'>, form: Form, response: HookResponse, draft: Draft): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny') {
    refuse(form, draft, '');
    draft.told.add('deny');
  } else if (decision === 'ask') {
    draft.told.add('ask');
  } else if (decision === 'allow' && (modifyArgs || event.mode === 'url')) {
    draft.own.action = 'accept';
    if (modifyArgs) draft.own.content = modifyArgs;
    draft.told.add('allow').add('rewrite');
  } else if (decision === 'allow') {
    // Accepting an empty form would answer in the person's name with nothing.
    draft.reasons.set(
      'allow',
      'A form is accepted with its content only (modifyArgs); the dialog is left open.',
    );
  }
}

function elicitationResult(
  event: EventOf<'elicitation_result'>,
  form: Form,
  response: HookResponse,
  draft: Draft,
): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny' || decision === 'ask') {
    refuse(form, draft, '');
    if (decision === 'deny') draft.told.add('deny');
    return;
  }
  if (decision === 'allow') draft.told.add('allow');
  if (!modifyArgs) return;
  if (event.action === 'accept') {
    draft.own.action = 'accept';
    draft.own.content = { ...(isObject(event.content) ? event.content : {}), ...modifyArgs };
    draft.told.add('rewrite');
  } else {
    draft.reasons.set('rewrite', 'The person did not accept, so there is no content to change.');
  }
}

/** Events that go ahead unless they are refused. */
function block(event: HookEvent, form: Form, response: HookResponse, draft: Draft): void {
  if (response.decision === 'none') return;
  if (response.decision === 'allow') {
    // Silence lets it happen, except here, where it makes the client give up.
    if (event.type !== 'worktree_create') draft.told.add('allow');
    return;
  }
  if (form.refusal === undefined) return;
  if (event.type === 'config_change' && event.scope === 'policy_settings') {
    draft.reasons.set(response.decision, 'Managed settings cannot be refused.');
    return;
  }
  if (form.halt === 'wins' && response.halt !== undefined) {
    draft.reasons.set(response.decision, 'The turn is to end, and this client lets that win.');
    return;
  }
  refuse(form, draft, refusalText(form, response, draft));
  if (response.decision === 'deny' && !HAPPENED.has(event.type)) draft.told.add('deny');
}

/** What these events report cannot be taken back: a refusal is only heard. */
const HAPPENED: ReadonlySet<string> = new Set(['after_tool', 'post_tool_batch']);

/**
 * 2.1.325 takes exit code 2 for a missing script, and lets things pass, if stderr has these words. A no-break space
 * keeps them readable and out of its pattern.
 */
function asRefusalOnStderr(text: string): string {
  return text.replace(/no such file|can't open/gi, (words) => words.replaceAll(' ', '\u00a0'));
}
