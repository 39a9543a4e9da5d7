import * as v from 'valibot';
import type { HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Draft } from './encode.ts';

const tailCall = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  args: v.record(v.string(), v.unknown()),
});

/** Fields that only this client has, sent where it reads them. They never overrule a decision. */
export function addNativeFields(event: HookEvent, response: HookResponse, draft: Draft): void {
  const own = Object.hasOwn(response.native ?? {}, 'gemini') ? response.native?.gemini : undefined;
  const left = Object.entries(own ?? {}).filter(([key, value]) => !added(event, key, value, draft));
  if (left.length === 0) return;
  const names = left.map(([key]) => key).join(', ');
  draft.reasons.set('native', `${event.nativeEvent} does not take ${names} as given.`);
}

function added(event: HookEvent, key: string, value: unknown, draft: Draft): boolean {
  const goesOn = draft.top.decision === undefined && draft.top.continue === undefined;
  if (key === 'clearContext' && event.type === 'after_agent' && typeof value === 'boolean') {
    // Read only when the turn is refused its end, or ended.
    if (goesOn && value) return false;
    draft.own.clearContext = value;
    return true;
  }
  if (key === 'tailToolCallRequest' && event.type === 'after_tool' && goesOn && v.is(tailCall, value)) {
    draft.own.tailToolCallRequest = value;
    return true;
  }
  return false;
}
