import { LEFT_TO_AGENT, type Reply } from '../approvals/approval.ts';
import { distinctIds } from '../store/short-id.ts';
import type { RequestGroup } from './groups.ts';
import type { Key } from './keyboard.ts';
import { scopedAllow } from './keys.ts';
import type { Live } from './live.ts';
import type { Input, Screen } from './screen.ts';
import { typed } from './typing.ts';
import type { View } from './view.ts';

export interface Hands {
  readonly live: Live;
  /** As it is now: keys come faster than the screen is drawn. */
  screen(): Screen;
  change(change: Partial<Screen>): void;
  exit(): void;
  /** What the user saw when the key was pressed. */
  readonly view: View;
}

/** What each key does, given where one is. */
export function press(hands: Hands, key: Key): void {
  const { input, mode } = hands.screen();
  if (key.name === 'interrupt') hands.exit();
  else if (input) typed(hands, input, key);
  // What was pasted is not for keys: each of its letters would be one.
  else if (key.name === 'paste') return;
  else if (mode === 'more') inMenu(hands, key);
  else if (mode === 'help' || mode === 'whole') inWhole(hands, key);
  else if (!moves(hands, key)) acts(hands, key);
}

function answer({ live, view, change }: Hands, given: Reply): void {
  if (view.open) live.answer(view.open.ids, given);
  change({ chosen: {}, chosenFor: null, mode: 'now', top: 0 });
}

function inMenu(hands: Hands, key: Key): void {
  const { open } = hands.view;
  const pressed = key.name === 'text' ? key.text : '';
  hands.change({ mode: 'now' });
  if (!open) return;
  const given = scopedAllow(pressed);
  if (given) answer(hands, given);
  else if (/^[eDNl]$/.test(pressed)) onRequest(hands, open, pressed);
}

const PAGE = 10;

function inWhole(hands: Hands, key: Key): void {
  const { view, change } = hands;
  const last = Math.max(0, view.whole.length - (view.size.rows - 3));
  const scroll = (by: number) => change({ top: Math.min(last, Math.max(0, hands.screen().top + by)) });
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'up' || pressed === 'k') scroll(-5);
  else if (pressed === 'down' || pressed === 'j') scroll(5);
  else if (pressed === 'page-up') scroll(-PAGE);
  else if (pressed === 'page-down') scroll(PAGE);
  else if (['escape', 'enter', ' ', '?'].includes(pressed)) change({ mode: 'now', top: 0 });
  else acts(hands, key);
}

function moves(hands: Hands, key: Key): boolean {
  const { view, change } = hands;
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'up' || pressed === 'k') move(hands, -1);
  else if (pressed === 'down' || pressed === 'j') move(hands, 1);
  else if (pressed === 'page-up') move(hands, -PAGE);
  else if (pressed === 'page-down') move(hands, PAGE);
  else if (pressed === 'tab') change({ focus: view.focus === 'queue' ? 'calls' : 'queue' });
  else return false;
  return true;
}

function move({ view, screen, change }: Hands, by: number): void {
  const { groups, open, rows, focus } = view;
  if (focus === 'queue') {
    const at = open ? groups.indexOf(open) : 0;
    const next = groups[Math.min(Math.max(0, at + by), groups.length - 1)];
    change({ group: next?.key ?? null });
    return;
  }
  const { row } = screen();
  const at = row === null ? rows.length - 1 : rows.findIndex(({ key }) => key === row);
  const to = Math.max(0, at + by);
  // Past the newest one is following again.
  change({ row: to < rows.length - 1 ? (rows[to]?.key ?? null) : null });
}

function acts(hands: Hands, key: Key): void {
  const { change, exit, view, live } = hands;
  const screen = hands.screen();
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'q') exit();
  else if (pressed === '?') change({ mode: 'help', top: 0 });
  else if (pressed === 'z') change({ paused: screen.paused ? null : live.state().items });
  else if (pressed === 'p') change({ protocol: !screen.protocol, row: null });
  else if (pressed === 'f' || pressed === '/')
    change({ input: { label: 'Filter', text: screen.filter, purpose: { kind: 'filter' } } });
  else if (pressed === 'enter' && sendsAnswers(view))
    answer(hands, { decision: 'allow', answers: view.chosen });
  else if (pressed === 'enter' || pressed === ' ') change({ mode: 'whole', top: 0 });
  else if (!onSession(hands, pressed) && view.open) onRequest(hands, view.open, pressed);
}

/** Keys that are about the session of the selected call. */
function onSession({ view, live, change }: Hands, pressed: string): boolean {
  const { event, state } = view;
  if (!event || !['w', 't', 'c'].includes(pressed)) return false;
  if (pressed === 'w') {
    const id = distinctIds([...state.sessions.map(({ sessionId }) => sessionId), event.sessionId]);
    const label = `When ${event.source} ${id.get(event.sessionId) ?? ''} wants to stop, tell it`;
    change({ input: { label, text: '', purpose: { kind: 'keep-going', event } } });
  } else live.toggleGate(event, pressed === 't' ? 'untested' : 'dirty');
  return true;
}

function onRequest(hands: Hands, open: RequestGroup, pressed: string): void {
  const { view, change } = hands;
  // Nothing is answered that has not been on the screen long enough to be seen.
  if (!view.isArmed) return;
  const { key: group, ids, first } = open;
  const ask = (kind: 'deny' | 'stop' | 'edit', label: string, text = '') => {
    const input: Input = { label, text, purpose: { kind, group, ids } };
    change({ input, mode: 'now' });
  };
  if (/^[1-9]$/.test(pressed)) choose(hands, open, Number(pressed) - 1);
  else if (pressed === 'a' && first.kind !== 'question') answer(hands, { decision: 'allow' });
  else if (pressed === 'd') ask('deny', 'Deny, and say');
  else if (pressed === 'D') ask('stop', 'Deny and end the turn, and say');
  else if ((pressed === 'm' || pressed === 'A') && first.kind === 'permission') change({ mode: 'more' });
  else if (pressed === 'l') answer(hands, LEFT_TO_AGENT);
  else if (pressed === 'N')
    answer(hands, {
      decision: 'deny',
      scope: 'project',
      message: 'The user has ruled this out for this project.',
    });
  else if (pressed === 'e' && first.tool?.command != null) ask('edit', 'Run instead', first.tool.command);
}

function sendsAnswers({ open, chosen, focus, isArmed }: View): boolean {
  const questions = open?.first.questions ?? [];
  return (
    isArmed &&
    focus === 'queue' &&
    questions.length > 0 &&
    questions.every(({ id }) => (chosen[id] ?? []).length > 0)
  );
}

/** A number chooses for the first question that has no answer yet, or adds to one that takes several. */
function choose({ view, change }: Hands, { key: group, first }: RequestGroup, at: number): void {
  const { chosen } = view;
  const { questions } = first;
  const question = questions.find(({ id }) => !chosen[id]) ?? questions.at(-1);
  if (!question) return;
  const label = question.options[at]?.label;
  if (label === undefined) {
    if (at === question.options.length)
      change({
        input: {
          label: 'Your answer',
          text: '',
          purpose: { kind: 'own-words', group, question: question.id },
        },
      });
    return;
  }
  const before = question.multiple ? (chosen[question.id] ?? []).filter((one) => one !== label) : [];
  change({ chosen: { ...chosen, [question.id]: [...before, label] }, chosenFor: group });
}
