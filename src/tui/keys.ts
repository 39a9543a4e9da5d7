import type { Answer, AnswerScope } from '../approvals/approval.ts';

/** What the keys do, for the help and for the hands. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['↑ ↓  j k', 'move'],
  ['tab', 'cards ⇄ calls'],
  ['enter', 'look closer, and back'],
  ['a', 'allow this once (and what is identical)'],
  ['d', 'deny, with a message'],
  ['D', 'deny, and end the turn'],
  ['A', 'allow longer: s session, b branch, p project, g always, v server'],
  ['N', 'never allow this in this project'],
  ['l', 'leave it to the agent’s own prompt'],
  ['e', 'edit the command, then allow'],
  ['1 … 9', 'choose an answer to a question; enter sends'],
  ['f', 'filter the rows by a word'],
  ['p', 'show or hide the events of the protocol'],
  ['w', 'keep going: the session of this call goes on when it wants to stop'],
  ['t  c', 'no stop in that session while changes are untested, or uncommitted'],
  ['space', 'pause the screen'],
  ['?', 'this help'],
  ['q', 'leave'],
];

const SCOPE_KEYS: Readonly<Record<string, AnswerScope>> = {
  s: 'session',
  b: 'branch',
  p: 'project',
  g: 'always',
  v: 'server',
};

/** The answer behind a key of the "for longer" menu. */
export function scopedAllow(key: string): Answer | null {
  const scope = SCOPE_KEYS[key];
  return scope ? { decision: 'allow', scope } : null;
}
