import { HANDED_BACK, type Reply } from '../approvals/approval.ts';
import { distinctIds } from '../store/read/short-id.ts';
import type { RequestGroup } from './groups.ts';
import type { Key } from './keyboard.ts';
import { scopedAllow } from './keys.ts';
import type { Live } from './live.ts';
import type { Input, Screen } from './screen.ts';
import { typed } from './typing.ts';
import type { View } from './view.ts';

export interface Controls {
  readonly live: Live;
  /** The current screen: keys can arrive faster than the screen is drawn. */
  screen(): Screen;
  change(change: Partial<Screen>): void;
  exit(): void;
  /** The view that the user saw when pressing the key. */
  readonly view: View;
}

/** Handles a key according to the mode of the screen. */
export function press(controls: Controls, key: Key): void {
  const { input, mode } = controls.screen();
  if (key.name === 'interrupt') controls.exit();
  else if (input) typed(controls, input, key);
  // A pasted text must not act as keys, letter by letter.
  else if (key.name === 'paste') return;
  else if (mode === 'more') inMenu(controls, key);
  else if (mode === 'help' || mode === 'full') inFull(controls, key);
  else if (!moves(controls, key)) acts(controls, key);
}

function answer({ live, view, change }: Controls, given: Reply): void {
  if (view.open) live.answer(view.open.ids, given);
  change({ chosen: {}, chosenFor: null, mode: 'now', top: 0 });
}

function inMenu(controls: Controls, key: Key): void {
  const { open } = controls.view;
  const pressed = key.name === 'text' ? key.text : '';
  controls.change({ mode: 'now' });
  if (!open) return;
  const given = scopedAllow(pressed);
  if (given) answer(controls, given);
  else if (/^[eDNl]$/.test(pressed)) onRequest(controls, open, pressed);
}

const PAGE = 10;

function inFull(controls: Controls, key: Key): void {
  const { view, change } = controls;
  const last = Math.max(0, view.full.length - (view.size.rows - 3));
  const scroll = (by: number) => change({ top: Math.min(last, Math.max(0, controls.screen().top + by)) });
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'up' || pressed === 'k') scroll(-5);
  else if (pressed === 'down' || pressed === 'j') scroll(5);
  else if (pressed === 'page-up') scroll(-PAGE);
  else if (pressed === 'page-down') scroll(PAGE);
  else if (['escape', 'enter', ' ', '?'].includes(pressed)) change({ mode: 'now', top: 0 });
  else acts(controls, key);
}

function moves(controls: Controls, key: Key): boolean {
  const { view, change } = controls;
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'up' || pressed === 'k') move(controls, -1);
  else if (pressed === 'down' || pressed === 'j') move(controls, 1);
  else if (pressed === 'page-up') move(controls, -PAGE);
  else if (pressed === 'page-down') move(controls, PAGE);
  else if (pressed === 'tab') change({ focus: view.focus === 'queue' ? 'calls' : 'queue' });
  else return false;
  return true;
}

function move({ view, screen, change }: Controls, by: number): void {
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
  // Moving past the newest call follows the newest again.
  change({ row: to < rows.length - 1 ? (rows[to]?.key ?? null) : null });
}

function acts(controls: Controls, key: Key): void {
  const { change, exit, view, live } = controls;
  const screen = controls.screen();
  const pressed = key.name === 'text' ? key.text : key.name;
  if (pressed === 'q') exit();
  else if (pressed === '?') change({ mode: 'help', top: 0 });
  else if (pressed === 'z') change({ paused: screen.paused ? null : live.state().items });
  else if (pressed === 'p') change({ protocol: !screen.protocol, row: null });
  else if (pressed === 'f' || pressed === '/')
    change({ input: { label: 'Filter', text: screen.filter, purpose: { kind: 'filter' } } });
  else if (pressed === 'enter' && sendsAnswers(view))
    answer(controls, { decision: 'allow', answers: view.chosen });
  else if (pressed === 'enter' || pressed === ' ') change({ mode: 'full', top: 0 });
  else if (!onSession(controls, pressed) && view.open) onRequest(controls, view.open, pressed);
}

/** Keys for the session of the selected call. */
function onSession({ view, live, change }: Controls, pressed: string): boolean {
  const { event, state } = view;
  if (!event || !['w', 't', 'c'].includes(pressed)) return false;
  if (pressed === 'w') {
    const id = distinctIds([...state.sessions.map(({ sessionId }) => sessionId), event.sessionId]);
    const label = `Continue ${event.source} ${id.get(event.sessionId) ?? ''} with this message`;
    change({ input: { label, text: '', purpose: { kind: 'keep-going', event } } });
  } else live.toggleGate(event, pressed === 't' ? 'untested' : 'dirty');
  return true;
}

function onRequest(controls: Controls, open: RequestGroup, pressed: string): void {
  const { view, change } = controls;
  // An approval must be on the screen long enough to be seen before it is answered.
  if (!view.isArmed) return;
  const { key: group, ids, first } = open;
  const ask = (kind: 'deny' | 'stop' | 'edit', label: string, text = '') => {
    const input: Input = { label, text, purpose: { kind, group, ids } };
    change({ input, mode: 'now' });
  };
  if (/^[1-9]$/.test(pressed)) choose(controls, open, Number(pressed) - 1);
  else if (pressed === 'a' && first.kind !== 'question') answer(controls, { decision: 'allow' });
  else if (pressed === 'd') ask('deny', 'Deny with message');
  else if (pressed === 'D') ask('stop', 'Deny and end the turn, with message');
  else if ((pressed === 'm' || pressed === 'A') && first.kind === 'permission') change({ mode: 'more' });
  else if (pressed === 'l') answer(controls, HANDED_BACK);
  else if (pressed === 'N')
    answer(controls, {
      decision: 'deny',
      scope: 'project',
      message: 'The user denied this for the whole project.',
    });
  else if (pressed === 'e' && first.tool?.command != null) ask('edit', 'Edited command', first.tool.command);
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

/** A number answers the first open question, or adds to one that takes several answers. */
function choose({ view, change }: Controls, { key: group, first }: RequestGroup, at: number): void {
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
