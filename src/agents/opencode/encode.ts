import type { NativeAnswer } from '../../model/native.ts';
import { REFUSED, type ShimForm } from '../kit/shim/answers.ts';
import { REFUSAL } from '../refusals.ts';
import type { NativeEvent } from './decode.ts';

const WATCHED: ShimForm = { env: true, toast: true };

/** What the host carries out on each event (1.18.33). */
export const FORMS: Readonly<Record<NativeEvent, ShimForm>> = {
  // The host does not wait for plugins on an event of the bus.
  'session.created': WATCHED,
  'session.resumed': WATCHED,
  'session.error': {},
  'session.compacted': WATCHED,
  'subagent.idle': WATCHED,
  dispose: {},
  'tool.failed': {},
  'chat.message': { refusal: 'refuse', context: 'append', halt: 'refuse', env: true, toast: true },
  'command.execute.before': { refusal: 'refuse', context: 'append', env: true, toast: true },
  'tool.execute.before': {
    refusal: 'refuse',
    allow: 'reply',
    args: true,
    context: 'in-refusal',
    halt: 'abort',
    env: true,
    toast: true,
  },
  'tool.execute.after': {
    refusal: 'replace',
    context: 'append',
    replace: true,
    env: true,
    toast: true,
  },
  'permission.asked': { refusal: 'reject', ask: 'open', allow: 'reply', context: 'in-refusal' },
  'session.idle': { refusal: 'prompt', context: 'in-refusal', toast: true },
  // A refusal here would end the whole turn with an error.
  'experimental.session.compacting': { context: 'append', toast: true },
};

export const refusals: Readonly<Record<string, NativeAnswer>> = {
  'tool.execute.before': REFUSED,
  'chat.message': REFUSED,
  'command.execute.before': REFUSED,
  'permission.asked': {
    action: 'json_output',
    stdout_json: { reply: { answer: 'reject', message: REFUSAL } },
  },
};
