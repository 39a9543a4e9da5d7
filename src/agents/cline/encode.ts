import type { NativeAnswer } from '../../model/native.ts';
import { REFUSAL } from '../kit/refusals.ts';
import { type ShimForm, shimAnswers } from '../kit/shim/answers.ts';
import { type NativeEvent, payloads } from './decode.ts';

/** What our plugin can do on each event of 3.0.65. */
const FORMS: Readonly<Record<NativeEvent, ShimForm>> = {
  setup: {},
  beforeRun: { refusal: 'refuse', context: 'unless-refused', halt: 'refuse' },
  beforeTool: {
    refusal: 'refuse',
    ask: 'dialog',
    allow: 'reply',
    args: true,
    context: 'append',
    halt: 'abort',
  },
  afterTool: { refusal: 'replace', context: 'append', replace: true, halt: 'abort' },
  afterRun: {},
};

const refused: NativeAnswer = { action: 'json_output', stdout_json: { refuse: REFUSAL } };

export const refusals: Readonly<Record<string, NativeAnswer>> = { beforeRun: refused, beforeTool: refused };

export const encode = shimAnswers({ payloads, forms: FORMS, refusals });
