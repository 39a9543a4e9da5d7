import type { Answer, AnswerScope } from '../approvals/approval.ts';
import { SIGNS } from './lanes.ts';
import { type Line, line, span } from './line.ts';

/** What the keys do, for the help. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['j k  ↓ ↑', 'move in the queue, or in the calls'],
  ['tab', 'queue ⇄ calls'],
  ['space', 'show all of it, and back; also enter'],
  ['a', 'allow once, or go ahead; identical requests get the same answer'],
  ['d', 'deny, with a message; a pasted text may have several lines'],
  ['m', 'more: allow for longer, edit, deny and end the turn, never, leave'],
  ['1 … 9', 'choose an answer to a question; enter sends'],
  ['f', 'filter the calls by a word'],
  ['p', 'show or hide the events of the protocol'],
  ['z', 'pause the list of calls'],
  ['w', 'keep going: the session of this call goes on when it wants to stop'],
  ['t  c', 'no stop in that session while changes are untested, or uncommitted'],
  ['?', 'these keys and signs'],
  ['q', 'quit'],
];

/** The menu that `m` opens. Each key works without it as well, except those that say how long something is allowed. */
export const MORE: readonly (readonly [key: string, meaning: string])[] = [
  ['s', 'allow in this session'],
  ['b', 'allow on this branch'],
  ['p', 'allow in this project'],
  ['g', 'allow always'],
  ['v', 'allow all of this MCP server'],
  ['e', 'edit the command, then allow it'],
  ['D', 'deny, and end the turn'],
  ['N', 'never allow this in this project'],
  ['l', 'leave it to the agent’s own prompt'],
];

/** The help, with a legend of the signs. */
export function helpLines(): readonly Line[] {
  const signs = Object.values(SIGNS).flatMap(({ sign, look, meaning }) => [
    span(`  ${sign} `, look),
    span(meaning),
  ]);
  return [
    ...KEYS.map(([keys, meaning]) => [span(` ${keys.padEnd(10)}`, 'bold'), span(` ${meaning}`)]),
    line(''),
    [
      span(' ▌', 'running', 'bold'),
      span(' selected  '),
      span('▏', 'waiting'),
      span(' waits  ×2 the same request twice'),
    ],
    [span(' Bars'), ...signs],
    line(' Amber waits for you, blue runs, green was allowed, red was denied or failed.', 'quiet'),
  ];
}

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
