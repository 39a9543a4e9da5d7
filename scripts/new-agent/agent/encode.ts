import type { NativeAnswer } from '../../model/native.ts';
import { type AnswerForm, hookAnswers } from '../kit/hook-answers.ts';
import { refusedByExit } from '../refusals.ts';
import { type NativeEvent, payloads } from './decode.ts';

// TODO(new-agent): say for each event what the client reads in the answer, as the real client was seen to do it
const FORMS: Readonly<Record<NativeEvent, AnswerForm>> = {
  SessionStart: { context: 'own' },
  BeforeTool: { refusal: 'permission' },
  AfterTool: {},
};

// TODO(new-agent): give the denial for each guarded event, for forwarders that reach no daemon
export const refusals: Readonly<Record<string, NativeAnswer>> = refusedByExit([]);

/** Answers as the client honours them on each event. */
export const { encode } = hookAnswers({
  payloads,
  forms: FORMS,
  // TODO(new-agent): say at which events something can still be kept from happening
  guards: (event) => event === 'BeforeTool',
  // TODO(new-agent): add what the client takes beyond a refusal: allow, ask, changed arguments, replaced output
  fill(draft, event, response) {
    draft.refuseUnlessAllowed(response, event.type === 'after_tool');
    if (draft.halt(response)) draft.deliver('halt');
    draft.addContext(response);
    draft.addMessage(response);
  },
});
