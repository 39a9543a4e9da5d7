import type { EventOf, HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import { isObject } from '../loose-json.ts';
import { type Draft, readable, readableArguments, refuse } from './draft.ts';

/** Says allow, ask or deny, and changes arguments, in the way of the event at hand. */
export function decide(event: HookEvent, response: HookResponse, draft: Draft): void {
  switch (event.type) {
    case 'before_tool':
      beforeTool(event, response, draft);
      break;
    case 'permission_request':
      permissionRequest(response, draft);
      break;
    default:
      block(event, response, draft);
      break;
  }
}

export function refusalText(response: HookResponse, draft: Draft): string {
  const reason = readable(response.reason ?? '', 'Refused by Hookline.');
  if (draft.form.context !== 'in-refusal' || !response.context) return reason;
  draft.told.add('context');
  return `${reason}\n\n${response.context}`;
}

function beforeTool(event: EventOf<'before_tool'>, response: HookResponse, draft: Draft): void {
  const { decision, modifyArgs } = response;
  if (decision === 'deny' || decision === 'ask') {
    refuse(draft, refusalText(response, draft));
    if (decision === 'deny') draft.told.add('deny');
  }
  // Where nothing is ever asked, silence is all the permission there is. Elsewhere a request for approval may follow.
  const silenceAllows = event.permissionMode === 'bypassPermissions' && response.halt === undefined;
  if (decision === 'allow' && silenceAllows) draft.told.add('allow');
  if (!modifyArgs || Object.keys(modifyArgs).length === 0) return;
  if (draft.refused || response.halt !== undefined) {
    draft.reasons.set('rewrite', 'The call is refused, so there is nothing to change.');
    return;
  }
  const input = readableArguments({ ...event.tool.input, ...modifyArgs });
  if (!isObject(input) || (takesCommand(event.tool.nativeName) && typeof input.command !== 'string')) {
    // An answer that the client cannot use is no answer, and the original call would run.
    draft.reasons.set('rewrite', 'Codex does not take these arguments; the call is refused instead.');
    refuse(draft, 'The arguments were to be changed, but not in a way that Codex can use.');
    return;
  }
  // Only these two together change the input. This "allow" skips nothing: the client asks for approval of the
  // changed call as it would have of the original one (0.166.0, tried).
  draft.own.permissionDecision = 'allow';
  draft.own.updatedInput = input;
  draft.told.add('rewrite');
}

function takesCommand(nativeName: string): boolean {
  return nativeName === 'Bash' || nativeName === 'apply_patch';
}

function permissionRequest(response: HookResponse, draft: Draft): void {
  const { decision, modifyArgs } = response;
  const changes = modifyArgs !== undefined && Object.keys(modifyArgs).length > 0;
  if (decision === 'deny') {
    refuse(draft, refusalText(response, draft));
    draft.told.add('deny');
  } else if (decision !== 'none' && response.halt !== undefined) {
    draft.reasons.set(decision, 'The turn is to end, so the call is refused.');
  } else if (decision === 'ask') {
    // The prompt that is about to open is the asking: silence leaves it to the person.
    draft.told.add('ask');
  } else if (decision === 'allow' && changes) {
    // What was allowed is the changed call, and here only the original one can be.
    draft.reasons.set('allow', 'Allowed was a changed call; the original one is left to the person.');
  } else if (decision === 'allow') {
    draft.own.decision = { behavior: 'allow' };
    draft.told.add('allow');
  }
}

/** Events that go ahead unless they are refused. */
function block(event: HookEvent, response: HookResponse, draft: Draft): void {
  if (response.decision === 'none') return;
  if (response.decision === 'allow') {
    draft.told.add('allow');
    return;
  }
  if (draft.form.refusal === undefined) return;
  if (draft.form.halt === 'wins' && response.halt !== undefined) {
    draft.reasons.set(response.decision, 'The turn is to end, and this client lets that win.');
    return;
  }
  refuse(draft, refusalText(response, draft));
  // What has happened cannot be taken back: a refusal is only heard.
  if (response.decision === 'deny' && event.type !== 'after_tool') draft.told.add('deny');
}
