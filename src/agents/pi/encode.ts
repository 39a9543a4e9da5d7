import type { NativeAnswer } from '../../model/native.ts';
import { REFUSED, type ShimForm, shimAnswers } from '../kit/shim/answers.ts';
import { type NativeEvent, payloads } from './decode.ts';

/** What our extension can do on each event of 1.5.0. */
const FORMS: Readonly<Record<NativeEvent, ShimForm>> = {
  session_start: { toast: true },
  session_shutdown: {},
  // The context goes with the event that follows, `before_agent_start`.
  input: { refusal: 'refuse', ask: 'dialog', context: 'unless-refused', halt: 'refuse', toast: true },
  tool_call: {
    refusal: 'refuse',
    ask: 'dialog',
    args: true,
    context: 'in-refusal',
    halt: 'abort',
    toast: true,
  },
  // No other command is taken here, and no turn is there to end.
  user_bash: {
    refusal: 'refuse',
    ask: 'dialog',
    args: 'refuse',
    context: 'in-refusal',
    halt: 'refuse',
    toast: true,
  },
  tool_result: { refusal: 'replace', context: 'append', replace: true, halt: 'abort', toast: true },
  agent_before_settle: { refusal: 'prompt', context: 'in-refusal', toast: true },
  agent_settled: {},
  session_before_compact: { refusal: 'refuse', toast: true },
  session_compact: {},
  ui_prompt_start: {},
};

export const refusals: Readonly<Record<string, NativeAnswer>> = {
  input: REFUSED,
  tool_call: REFUSED,
  user_bash: REFUSED,
};

export const encode = shimAnswers({ payloads, forms: FORMS, refusals });
