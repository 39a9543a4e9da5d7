import { type Key, useInput } from 'ink';
import { LEFT_TO_AGENT, type Reply } from '../approvals/approval.ts';
import type { Row } from '../history/row.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { CardGroup } from './card-lines.ts';
import { scopedAllow } from './keys.ts';
import type { Live } from './live.ts';
import type { Change, Input, Screen } from './screen.ts';

interface Hands {
  readonly live: Live;
  /** As it is now: keys come faster than the screen is drawn. */
  readonly screen: () => Screen;
  readonly dispatch: (change: Change) => void;
  readonly exit: () => void;
  readonly groups: readonly CardGroup[];
  readonly card: CardGroup | null;
  readonly rows: readonly Row[];
  /** What the selected row is about. */
  readonly event: StoredEvent | null;
  readonly focus: 'cards' | 'rows';
  /** How far a detail can be scrolled. */
  readonly lastTop: number;
}

/** What each key does, given where one is. */
export function useKeys(hands: Hands): void {
  useInput((typed, key) => {
    const screen = hands.screen();
    if (screen.input) typing(hands, screen.input, typed, key);
    else if (screen.mode === 'scope') choosingScope(hands, typed, key);
    else command(hands, typed, key);
  });
}

function answer({ live, card, dispatch }: Hands, given: Reply): void {
  if (card) live.answer(card.ids, given);
  dispatch({ chosen: {}, mode: 'list', top: 0 });
}

function typing(hands: Hands, input: Input, typed: string, key: Key): void {
  const { dispatch } = hands;
  if (key.escape) dispatch({ input: null });
  else if (key.return) finish(hands, input);
  // Fast typing comes in one piece with the key that ends it.
  else if (/^[^\r\n]+[\r\n]$/.test(typed)) finish(hands, { ...input, text: input.text + typed.slice(0, -1) });
  else if (key.backspace || key.delete) dispatch({ input: { ...input, text: input.text.slice(0, -1) } });
  else if (typed !== '' && !key.ctrl && !key.meta)
    dispatch({ input: { ...input, text: input.text + typed } });
}

function finish(hands: Hands, { kind, text }: Input): void {
  const { dispatch, live, event } = hands;
  dispatch({ input: null });
  if (kind === 'filter') dispatch({ filter: text, row: null });
  else if (kind === 'keep-going') {
    if (event && text !== '') live.keepGoing(event, text);
  } else if (kind === 'edit') answer(hands, { decision: 'allow', input: { command: text } });
  else
    answer(hands, {
      decision: 'deny',
      ...(text === '' ? {} : { message: text }),
      ...(kind === 'stop' ? { halt: true } : {}),
    });
}

function choosingScope(hands: Hands, typed: string, key: Key): void {
  const given = key.escape ? null : scopedAllow(typed);
  if (given) answer(hands, given);
  else hands.dispatch({ mode: 'list' });
}

function command(hands: Hands, typed: string, key: Key): void {
  const { dispatch, exit, card, live, event } = hands;
  const screen = hands.screen();
  const ask = (kind: Input['kind'], label: string, text = '') => dispatch({ input: { kind, label, text } });
  if (typed === 'q') exit();
  else if (typed === '?') dispatch({ mode: screen.mode === 'help' ? 'list' : 'help' });
  else if (key.escape) dispatch({ mode: 'list', top: 0 });
  else if (key.tab) dispatch({ focus: hands.focus === 'cards' ? 'rows' : 'cards' });
  else if (key.upArrow || typed === 'k') move(hands, -1);
  else if (key.downArrow || typed === 'j') move(hands, 1);
  else if (typed === ' ') dispatch({ held: screen.held ? null : live.state().items });
  else if (typed === 'p') dispatch({ protocol: !screen.protocol, row: null });
  else if (typed === 'f') ask('filter', 'Filter:', screen.filter);
  else if (typed === 'w' && event)
    ask('keep-going', `When ${event.source} ${event.sessionId.slice(0, 8)} wants to stop, tell it:`);
  else if (typed === 't' && event) live.toggleGate(event, 'untested');
  else if (typed === 'c' && event) live.toggleGate(event, 'dirty');
  else if (key.return && hands.focus === 'cards' && hasAnswers(hands))
    answer(hands, { decision: 'allow', answers: screen.chosen });
  else if (key.return) dispatch({ mode: screen.mode === 'detail' ? 'list' : 'detail', top: 0 });
  else if (card) onCard(hands, card, typed, ask);
}

function onCard(
  hands: Hands,
  card: CardGroup,
  typed: string,
  ask: (kind: Input['kind'], label: string, text?: string) => void,
): void {
  if (/^[1-9]$/.test(typed)) choose(hands, card, Number(typed) - 1);
  else if (typed === 'a') answer(hands, { decision: 'allow' });
  else if (typed === 'd') ask('deny', 'Deny, and say:');
  else if (typed === 'D') ask('stop', 'Deny and end the turn, and say:');
  else if (typed === 'A') hands.dispatch({ mode: 'scope' });
  else if (typed === 'l') answer(hands, LEFT_TO_AGENT);
  else if (typed === 'N')
    answer(hands, {
      decision: 'deny',
      scope: 'project',
      message: 'A person has ruled this out for this project.',
    });
  else if (typed === 'e' && card.first.tool?.command != null)
    ask('edit', 'Run instead:', card.first.tool.command);
}

function hasAnswers({ card, screen }: Hands): boolean {
  const { chosen } = screen();
  const questions = card?.first.questions ?? [];
  return questions.length > 0 && questions.every(({ id }) => (chosen[id] ?? []).length > 0);
}

/** A number chooses for the first question that has no answer yet, or adds to one that takes several. */
function choose({ screen, dispatch }: Hands, card: CardGroup, at: number): void {
  const { chosen } = screen();
  const { questions } = card.first;
  const question = questions.find(({ id }) => !chosen[id]) ?? questions.at(-1);
  const label = question?.options[at]?.label;
  if (!question || label === undefined) return;
  const before = question.multiple ? (chosen[question.id] ?? []).filter((one) => one !== label) : [];
  dispatch({ chosen: { ...chosen, [question.id]: [...before, label] } });
}

function move({ screen: now, dispatch, groups, rows, focus, lastTop }: Hands, by: number): void {
  const screen = now();
  if (screen.mode === 'detail') {
    dispatch({ top: Math.min(lastTop, Math.max(0, screen.top + by * 5)) });
    return;
  }
  if (focus === 'cards') {
    dispatch({ card: Math.min(Math.max(0, screen.card + by), groups.length - 1), chosen: {} });
    return;
  }
  const at = screen.row === null ? rows.length - 1 : rows.findIndex(({ key }) => key === screen.row);
  const next = rows[at + by];
  // Past the newest one is following again.
  dispatch({
    row: next && at + by < rows.length - 1 ? next.key : by > 0 ? null : (next?.key ?? screen.row),
  });
}
