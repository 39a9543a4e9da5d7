import type { EventOf, HookEvent } from '../../model/events.ts';
import { isObject } from '../../model/json.ts';
import { type Grant, type HookResponse, reasonShown } from '../../model/responses.ts';
import type { AnswerDraft } from '../kit/hook-answers.ts';
import { NAMES } from './tools.ts';

// These two wait for the user. 2.1.325 takes an answer from a hook only as allow together with a full updatedInput.
const INTERACTIVE: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

const DESTINATIONS = { session: 'session', project: 'localSettings', user: 'userSettings' } as const;

/** Adds allow, ask or deny, and changed arguments, in the form of the event. */
export function decide(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  switch (event.type) {
    case 'before_tool':
      beforeTool(event, response, draft);
      break;
    case 'permission_request':
      permissionRequest(event, response, draft);
      break;
    case 'permission_denied':
      permissionDenied(response, draft);
      break;
    case 'pre_model_switch':
      permission(response, draft);
      break;
    case 'elicitation':
      elicitation(event, response, draft);
      break;
    case 'elicitation_result':
      elicitationResult(event, response, draft);
      break;
    default:
      block(event, response, draft);
      break;
  }
}

/** A permission does not answer a question: echoing it unanswered would answer it with nothing. */
function leavesQuestionOpen(
  { tool }: EventOf<'before_tool' | 'permission_request'>,
  response: HookResponse,
): boolean {
  return tool.kind === 'question' && response.decision === 'allow' && !response.modifyArgs;
}

const STILL_ASKED = 'A question needs an answer, not a permission: the user is still asked.';

function beforeTool(event: EventOf<'before_tool'>, response: HookResponse, draft: AnswerDraft): void {
  if (leavesQuestionOpen(event, response)) {
    draft.drop('allow', STILL_ASKED);
    return;
  }
  permission(response, draft);
  const changes = response.modifyArgs;
  if (INTERACTIVE.has(event.tool.nativeName)) {
    if (response.decision === 'allow') {
      draft.own.updatedInput = { ...event.tool.input, ...changes };
      draft.deliver('rewrite');
    } else if (changes) {
      draft.drop('rewrite', `${event.tool.name} takes an answer only together with allow.`);
    }
  } else if (changes && response.decision === 'deny') {
    draft.drop('rewrite', 'The call is denied, so there is nothing to change.');
  } else if (changes && Object.keys(changes).length > 0) {
    // The client replaces the whole input, and denies the call if what it gets is not complete.
    draft.own.updatedInput = { ...event.tool.input, ...changes };
    draft.deliver('rewrite');
  }
}

function permission(response: HookResponse, draft: AnswerDraft): void {
  if (response.decision === 'none') return;
  draft.deliver(response.decision);
  if (response.decision === 'deny') {
    draft.refuse(draft.refusalText(response));
    return;
  }
  draft.own.permissionDecision = response.decision;
  const shown = reasonShown(response);
  if (shown) draft.own.permissionDecisionReason = shown;
}

function permissionRequest(
  event: EventOf<'permission_request'>,
  response: HookResponse,
  draft: AnswerDraft,
): void {
  const { decision, grants, modifyArgs } = response;
  if (leavesQuestionOpen(event, response)) {
    draft.drop('allow', STILL_ASKED);
  } else if (decision === 'allow') {
    const answer: Record<string, unknown> = { behavior: 'allow' };
    if (modifyArgs || INTERACTIVE.has(event.tool.nativeName)) {
      answer.updatedInput = { ...event.tool.input, ...modifyArgs };
    }
    // A rule that names no tool, or an empty part of one, could be read as all of it.
    const clear = grants?.filter((grant) => grant.tool !== '' && grant.pattern !== '') ?? [];
    if (clear.length > 0) answer.updatedPermissions = permissionUpdates(clear);
    if (clear.length === (grants?.length ?? 0)) draft.deliver('grants');
    else draft.drop('grants', 'A grant without a tool, or with an empty pattern, is not remembered.');
    draft.own.decision = answer;
    draft.deliver('allow', 'rewrite');
  } else if (decision === 'deny') {
    const text = draft.refusalText(response);
    draft.refuse(text);
    if (response.halt !== undefined) {
      draft.own.decision = { behavior: 'deny', message: text, interrupt: true };
      draft.deliver('halt');
    }
    draft.deliver('deny');
  } else if (decision === 'ask') {
    // The dialog that is about to open is the question: silence leaves it to the user.
    draft.deliver('ask');
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
    const toolName =
      grant.server === undefined ? NAMES.native(grant.tool) : serverRule(grant.tool, grant.server);
    update.rules.push(grant.pattern === null ? { toolName } : { toolName, ruleContent: grant.pattern });
    updates.set(key, update);
  }
  return [...updates.values()];
}

/** `mcp__<server>` stands for all of its tools; the name is written as in the names of the tools. */
function serverRule(tool: string, server: string): string {
  const written = `mcp__${server.replace(/[^A-Za-z0-9_-]/g, '_')}`;
  return tool.startsWith(`${written}__`) ? written : NAMES.native(tool);
}

function permissionDenied(response: HookResponse, draft: AnswerDraft): void {
  if (response.decision === 'allow') draft.own.retry = true;
  if (response.decision === 'deny') draft.deliver('deny');
}

function elicitation(event: EventOf<'elicitation'>, response: HookResponse, draft: AnswerDraft): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny') {
    draft.refuse('');
    draft.deliver('deny');
  } else if (decision === 'ask') {
    draft.deliver('ask');
  } else if (decision === 'allow' && (modifyArgs || event.mode === 'url')) {
    draft.own.action = 'accept';
    if (modifyArgs) draft.own.content = modifyArgs;
    draft.deliver('allow', 'rewrite');
  } else if (decision === 'allow') {
    // Accepting an empty form would answer in the user's name with nothing.
    draft.drop('allow', 'A form is accepted with its content only (modifyArgs); the dialog is left open.');
  }
}

function elicitationResult(
  event: EventOf<'elicitation_result'>,
  response: HookResponse,
  draft: AnswerDraft,
): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny' || decision === 'ask') {
    draft.refuse('');
    if (decision === 'deny') draft.deliver('deny');
    return;
  }
  if (decision === 'allow') draft.deliver('allow');
  if (!modifyArgs) return;
  if (event.action === 'accept') {
    draft.own.action = 'accept';
    draft.own.content = { ...(isObject(event.content) ? event.content : {}), ...modifyArgs };
    draft.deliver('rewrite');
  } else {
    draft.drop('rewrite', 'The user did not accept, so there is no content to change.');
  }
}

/** Events that go ahead unless they are refused. */
function block(event: HookEvent, response: HookResponse, draft: AnswerDraft): void {
  const { decision } = response;
  // Silence lets things happen, except here, where it makes the client give up.
  if (event.type === 'worktree_create' && decision === 'allow') return;
  if (event.type === 'config_change' && event.scope === 'policy_settings' && isRefusal(decision)) {
    draft.drop(decision, "Managed settings can't be denied.");
    return;
  }
  draft.refuseUnlessAllowed(response, event.type === 'after_tool' || event.type === 'post_tool_batch');
}

function isRefusal(decision: HookResponse['decision']): decision is 'deny' | 'ask' {
  return decision === 'deny' || decision === 'ask';
}
