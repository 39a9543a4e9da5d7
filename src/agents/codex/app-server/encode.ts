import * as v from 'valibot';
import type { HookEvent } from '../../../model/events.ts';
import { PASSTHROUGH } from '../../../model/native.ts';
import { effectsOf, type HookResponse } from '../../../model/responses.ts';
import type { Encoded } from '../../agent.ts';
import { Delivery } from '../../kit/delivery.ts';
import { type Remembered, rememberAs } from './grants.ts';
import { present } from './items.ts';
import { APPROVALS, asksApproval, messageWire, PARAMS } from './wire.ts';

const CLIENT = { label: 'Codex', supports: {} };

type Result = Readonly<Record<string, unknown>>;

/** An answer while it is built. */
class Draft extends Delivery {
  /** The result of the request; null leaves the question to the other clients. */
  result: Result | null = null;
}

/**
 * What Codex 0.166.0 is answered. The answer's JSON is the `result` of its request; no answer leaves the question to
 * the other clients. Only an `allow` ever becomes an acceptance. Never throws.
 */
export function encodeApproval(event: HookEvent, response: HookResponse): Encoded {
  const draft = new Draft();
  if (!asksApproval(event.nativeEvent)) {
    for (const effect of effectsOf(response)) {
      draft.drop(effect, `${event.nativeEvent} only reports what has already begun or happened.`);
    }
  } else if (response.halt !== undefined || response.decision === 'deny') {
    refuse(event, response, draft);
  } else if (response.decision === 'allow') {
    accept(event, response, draft);
  } else if (response.decision === 'ask') {
    // The other clients show the request to a user: that is the question.
    draft.deliver('ask');
  }
  if (Object.keys(response.native?.codex ?? {}).length > 0) {
    draft.drop('native', 'An answer to the app-server has no fields of its own.');
  }
  return {
    answer: draft.result ? { action: 'json_output', stdout_json: draft.result } : PASSTHROUGH,
    degraded: draft.degradations(CLIENT, event.type, response),
    appends: [],
  };
}

function refuse(event: HookEvent, response: HookResponse, draft: Draft): void {
  const halting = response.halt !== undefined;
  draft.result = refusal(event.nativeEvent, halting);
  if (response.decision === 'deny') draft.deliver('deny');
  if (halting && canCancel(event.nativeEvent)) draft.deliver('halt');
  draft.drop('allow', 'The turn was to end, so nothing was accepted.');
}

/** Declines, or with `halting` also ends the turn where the question has a word for that. */
export function refusal(method: string, halting: boolean): Result {
  switch (method) {
    case APPROVALS.permissions:
      return { permissions: {}, scope: 'turn' };
    case APPROVALS.userInput:
      return { answers: {} };
    case APPROVALS.elicitation:
      return { action: halting ? 'cancel' : 'decline', content: null, _meta: null };
    default:
      return { decision: halting ? 'cancel' : 'decline' };
  }
}

function canCancel(method: string): boolean {
  return method !== APPROVALS.permissions && method !== APPROVALS.userInput;
}

const UNREADABLE = 'The question could not be read again.';

function accept(event: HookEvent, response: HookResponse, draft: Draft): void {
  const message = v.safeParse(messageWire, event.native);
  const said = message.success ? acceptance(event, response, message.output.params) : { left: UNREADABLE };
  if ('left' in said) {
    draft.drop('allow', said.left);
    return;
  }
  draft.result = said.result;
  draft.deliver('allow');
  if (said.answered) draft.deliver('rewrite');
  if (said.lost === null) draft.deliver('grants');
  else draft.drop('grants', said.lost);
}

type Acceptance =
  | { readonly result: Result; readonly lost: string | null; readonly answered?: boolean }
  /** Why the question stays open although the answer was to be yes. */
  | { readonly left: string };

function acceptance(event: HookEvent, { grants, modifyArgs }: HookResponse, params: unknown): Acceptance {
  if (event.type !== 'permission_request') {
    return { left: 'Only the user can fill in what the server asks for.' };
  }
  if (event.nativeEvent === APPROVALS.userInput) return answers(params, modifyArgs?.answers);
  if (Object.keys(modifyArgs ?? {}).length > 0) {
    return { left: 'Codex would run the call as it was, not as it was rewritten.' };
  }
  const { tool } = event;
  switch (event.nativeEvent) {
    case APPROVALS.command: {
      const asked = v.safeParse(PARAMS.command, params);
      if (!asked.success) return { left: UNREADABLE };
      const proposed = (tool.command !== null && asked.output.proposedExecpolicyAmendment) || [];
      const kept = rememberAs(grants, tool, proposed);
      return { result: { decision: commandDecision(kept) }, lost: kept.lost };
    }
    case APPROVALS.fileChange: {
      if (tool.files.length === 0) {
        return { left: 'The files of the patch are not known, so no rule was applied to them.' };
      }
      const kept = rememberAs(grants, tool, []);
      return {
        result: { decision: kept.how === 'once' ? 'accept' : 'acceptForSession' },
        lost: kept.lost,
      };
    }
    case APPROVALS.permissions: {
      const asked = v.safeParse(PARAMS.permissions, params);
      if (!asked.success) return { left: UNREADABLE };
      const kept = rememberAs(grants, tool, []);
      const scope = kept.how === 'once' ? 'turn' : 'session';
      return { result: { permissions: present(asked.output.permissions), scope }, lost: kept.lost };
    }
    default: {
      const kept = rememberAs(grants, tool, []);
      const persist = kept.how === 'once' ? null : { persist: kept.how };
      return { result: { action: 'accept', content: {}, _meta: persist }, lost: kept.lost };
    }
  }
}

function commandDecision({ how, prefix }: Remembered): unknown {
  if (how === 'always' && prefix) {
    return { acceptWithExecpolicyAmendment: { execpolicy_amendment: prefix } };
  }
  return how === 'once' ? 'accept' : 'acceptForSession';
}

const answersGiven = v.record(v.string(), v.union([v.string(), v.array(v.string())]));

/** A question is answered by answers, as changed arguments bring them; a bare allow says none. */
function answers(params: unknown, wanted: unknown): Acceptance {
  const asked = v.safeParse(PARAMS.userInput, params);
  const given = v.safeParse(answersGiven, wanted);
  if (!asked.success || !given.success || asked.output.questions.some(({ id }) => !(id in given.output))) {
    return { left: 'A question needs an answer; the rewrite of `answers` has one for each id.' };
  }
  const each = asked.output.questions.map(({ id }) => [id, { answers: [given.output[id]].flat() }]);
  return { result: { answers: Object.fromEntries(each) }, lost: null, answered: true };
}
