import type { Answer, AnswerScope } from '../approvals/approval.ts';
import { SIGNS } from './lanes.ts';
import { type Line, line, span } from './line.ts';

/** The keys in the help. */
export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['j k  ↓ ↑', 'move in the approvals or the calls'],
  ['tab', 'approvals ⇄ calls'],
  ['space', 'show all details, and back; also enter'],
  ['a', 'allow once, or approve a plan; one answer for identical calls'],
  ['d', 'deny with a message; pasted text may have several lines'],
  ['m', 'more: remember, edit, deny and end turn, deny in project, hand back'],
  ['1 … 9', 'choose an answer to a question; enter sends'],
  ['f', 'filter the calls by a word'],
  ['p', 'show or hide protocol events'],
  ['z', 'pause the list of calls'],
  ['w', 'continue this session when its turn would end'],
  ['t  c', 'block the turn end while changes are untested (t), uncommitted (c)'],
  ['?', 'show keys and signs'],
  ['q', 'quit'],
];

/** The menu that `m` opens. Its keys also work without it, except those that choose a scope. */
export const MORE: readonly (readonly [key: string, meaning: string])[] = [
  ['s', 'allow in this session'],
  ['b', 'allow on this branch'],
  ['p', 'allow in this project'],
  ['g', 'allow in all projects'],
  ['v', 'allow all tools of this MCP server'],
  ['e', 'edit the command, then allow it'],
  ['D', 'deny and end the turn'],
  ['N', 'deny in this project'],
  ['l', 'ask in the agent instead'],
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
      span(' pending  ×2 the same call twice'),
    ],
    [span(' Bars'), ...signs],
    line(' Amber: needs approval. Blue: running. Green: allowed. Red: denied or failed.', 'quiet'),
  ];
}

const SCOPE_KEYS: Readonly<Record<string, AnswerScope>> = {
  s: 'session',
  b: 'branch',
  p: 'project',
  g: 'always',
  v: 'server',
};

/** The answer for a scope key of the menu. */
export function scopedAllow(key: string): Answer | null {
  const scope = SCOPE_KEYS[key];
  return scope ? { decision: 'allow', scope } : null;
}
