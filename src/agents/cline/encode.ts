import type { NativeAnswer } from '../../model/native.ts';
import { REFUSED, type ShimForm, shimAnswers } from '../kit/shim/answers.ts';
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

export const refusals: Readonly<Record<string, NativeAnswer>> = { beforeRun: REFUSED, beforeTool: REFUSED };

export const encode = shimAnswers({ payloads, forms: FORMS, refusals });
