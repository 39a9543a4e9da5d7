import type { EventOf, HookEvent } from '../../model/events.ts';
import type { HookResponse } from '../../model/responses.ts';
import type { Encoded } from '../agent.ts';
import { degradations } from '../degrade.ts';
import { encodeApproval, isMessage } from './app-server/index.ts';
import { decide, refusalText } from './decision.ts';
import { answerOf, type Draft, newDraft, readable, refuse } from './draft.ts';
import { formOf } from './forms.ts';
import { nativeEventName } from './names.ts';
import { supports } from './supports.ts';

const CLIENT = { label: 'Codex', supports };

/** Says a response in the words that 0.166.0 takes on this event, and nothing else. Never throws. */
export function encode(event: HookEvent, response: HookResponse): Encoded {
  if (isMessage(event.native)) return encodeApproval(event, response);
  if (event.type === 'unknown') return encodeUnreadable(event, response);
  const draft = newDraft(event.nativeEvent, formOf(event.nativeEvent) ?? {});
  decide(event, response, draft);
  haltTurn(response, draft);
  addContext(response, draft);
  if (draft.form.systemMessage && response.systemMessage) {
    draft.top.systemMessage = response.systemMessage.toWellFormed();
    draft.told.add('systemMessage');
  }
  if (event.type === 'after_tool') replaceOutput(response, draft);
  return finish(event, response, draft);
}

// The moments at which something can still be kept from happening.
const GUARDED: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'UserPromptSubmit']);

/** An event we cannot read passes, unless it is one that can be refused and the answer to bad payloads is no. */
function encodeUnreadable(event: EventOf<'unknown'>, response: HookResponse): Encoded {
  const name = nativeEventName({ event: event.nativeEvent, payload: event.native }) ?? event.nativeEvent;
  const guarded = event.problem !== null && GUARDED.has(name);
  const draft = newDraft(name, (guarded ? formOf(name) : null) ?? {});
  if (response.decision === 'deny') {
    refuse(draft, refusalText(response, draft));
    if (draft.refused) draft.told.add('deny');
  }
  return finish(event, response, draft);
}

function finish(event: HookEvent, response: HookResponse, draft: Draft): Encoded {
  const fields = Object.keys(response.native?.codex ?? {});
  if (fields.length > 0)
    draft.reasons.set('native', `Codex takes no fields of its own, and with ${fields.join(', ')} no answer.`);
  return {
    answer: answerOf(draft),
    degraded: degradations(CLIENT, event.type, response, draft.told, draft.reasons),
    appends: [],
  };
}

function haltTurn(response: HookResponse, draft: Draft): void {
  if (response.halt === undefined || draft.form.halt === undefined) return;
  const why = readable(response.halt, 'Halted by Hookline.');
  if (draft.form.halt === 'refuse') {
    if (!draft.refused) refuse(draft, why);
    return;
  }
  const refusal = draft.top.stopReason;
  draft.top.stopReason = typeof refusal === 'string' ? `${refusal}\n${why}` : why;
  draft.top.continue = false;
  draft.told.add('halt');
}

function addContext(response: HookResponse, draft: Draft): void {
  const { context } = draft.form;
  if (!response.context || context === undefined || context === 'in-refusal') return;
  if (context === 'unless-refused' && (draft.refused || draft.top.continue === false)) {
    draft.reasons.set('context', 'The prompt is not sent, and nothing goes to the model without it.');
    return;
  }
  draft.own.additionalContext = response.context.toWellFormed();
  draft.told.add('context');
}

/** The reason of a refusal takes the place of the output: that is how the client replaces one. */
function replaceOutput(response: HookResponse, draft: Draft): void {
  const wanted = response.replaceOutput;
  if (wanted === undefined) return;
  if (draft.refused) {
    draft.reasons.set('replaceOutput', 'The reason of the refusal has taken the place of the output.');
    return;
  }
  const text = typeof wanted === 'string' ? wanted : (JSON.stringify(wanted) ?? '');
  refuse(draft, readable(text, 'The output was withheld by Hookline.'));
  draft.told.add('replaceOutput');
}
