import { expect, test } from 'vitest';
import { CONNECTED, NOW, openTestScreen, request } from '../../test/support/tui.ts';

const waiting = (...pending: ReturnType<typeof request>[]) => ({ ...CONNECTED, pending });
const PASTE = '\x1b[200~first line\rsecond line\rd\ra\x1b[201~';

test('one answer applies to all identical calls and to no other', () => {
  const screen = openTestScreen(
    waiting(
      request('a1', 'touch a', { group: 'a' }),
      request('b', 'touch b', { expiresAt: NOW + 90_000 }),
      request('a2', 'touch a', { group: 'a', expiresAt: NOW + 80_000 }),
    ),
  );
  expect(screen.text()).toContain('[a] Allow all 2');
  screen.keys('a');
  expect(screen.answers).toEqual([{ ids: ['a1', 'a2'], answer: { decision: 'allow' } }]);
});

test('a pasted text of several lines is one message and presses no keys', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a')));
  screen.keys('d');
  screen.keys(PASTE);
  expect(screen.answers).toEqual([]);
  const lines = screen.rows();
  expect(lines).toHaveLength(24);
  expect(lines.slice(-5).map((line) => line.trim())).toEqual([
    expect.stringMatching(/^Deny with message:.*Enter sends/),
    'first line',
    'second line',
    'd',
    'a▏',
  ]);
  screen.keys('\r');
  expect(screen.answers).toEqual([
    { ids: ['a'], answer: { decision: 'deny', message: 'first line\nsecond line\nd\na' } },
  ]);
});

test('a paste outside an input does nothing', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a')));
  screen.keys(PASTE);
  screen.keys('a\rd\rq');
  expect(screen.answers).toEqual([]);
  expect(screen.isOpen()).toBe(true);
});

test('an input takes line breaks and backspace', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a')));
  screen.keys('dxy\x7f\nz\r');
  expect(screen.answers).toEqual([{ ids: ['a'], answer: { decision: 'deny', message: 'x\nz' } }]);
});

test('a message stays with the approval that it was written for', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a'), request('b', 'touch b')));
  screen.keys('d');
  screen.keys('not this');
  screen.now(waiting(request('b', 'touch b')));
  screen.keys('\r');
  expect(screen.answers).toEqual([{ ids: ['a'], answer: { decision: 'deny', message: 'not this' } }]);
});

test('a menu answers only the approval that it was opened for', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a'), request('b', 'touch b')));
  screen.keys('m');
  expect(screen.text()).toContain('[p] allow in this project');
  screen.now(waiting(request('b', 'touch b')));
  expect(screen.text()).toContain('$ touch b');
  screen.keys('p');
  expect(screen.answers).toEqual([]);
});

test('keys do not answer an approval that has just appeared', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a')));
  screen.pause(true);
  expect(screen.text()).toContain(' a  Allow once');
  screen.keys('adDlN');
  expect(screen.answers).toEqual([]);
  expect(screen.text()).not.toContain('Deny with message');
  screen.pause(false);
  screen.keys('a');
  expect(screen.answers).toHaveLength(1);
});

test('a new approval does not move the open one', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a')));
  screen.now(waiting(request('urgent', 'touch u', { expiresAt: NOW + 1_000 }), request('a', 'touch a')));
  expect(screen.rows()[2]).toMatch(/^▏.*touch u/);
  expect(screen.text()).toContain('$ touch a');
  screen.keys('a');
  expect(screen.answers).toEqual([{ ids: ['a'], answer: { decision: 'allow' } }]);
});

test('answers with a grant, an edited command, the end of the turn, a denial in the project, and by handing back', () => {
  const answerTo = (keys: string) => {
    const screen = openTestScreen(waiting(request('a', 'touch a')));
    for (const key of keys) screen.keys(key);
    return screen.answers.map(({ answer }) => answer);
  };
  expect(answerTo('mp')).toEqual([{ decision: 'allow', scope: 'project' }]);
  expect(answerTo('e2\r')).toEqual([{ decision: 'allow', input: { command: 'touch a2' } }]);
  expect(answerTo('D\r')).toEqual([{ decision: 'deny', halt: true }]);
  expect(answerTo('mN')).toEqual([expect.objectContaining({ decision: 'deny', scope: 'project' })]);
  expect(answerTo('ml')).toEqual([{ decision: 'none' }]);
  expect(answerTo('mx')).toEqual([]);
});

test('a question is answered by number or in own words, not by allow', () => {
  const options = ['One', 'Two'].map((label) => ({ label, description: '' }));
  const questions = [{ id: 'q', text: 'Which?', options, multiple: false }];
  const asking = waiting(request('a', '', { kind: 'question', tool: null, questions }));
  const chosen = openTestScreen(asking);
  chosen.keys('a');
  chosen.keys('2');
  chosen.keys('\r');
  expect(chosen.answers).toEqual([{ ids: ['a'], answer: { decision: 'allow', answers: { q: ['Two'] } } }]);
  const own = openTestScreen(asking);
  for (const key of ['3', 'N', 'o', '\r', '\r']) own.keys(key);
  expect(own.answers).toEqual([{ ids: ['a'], answer: { decision: 'allow', answers: { q: ['No'] } } }]);
});

test('space shows all details with IDs, and the keys still answer', () => {
  const screen = openTestScreen(waiting(request('a', 'touch a', { sessionId: 's-long-id' })));
  screen.keys(' ');
  expect(screen.text()).toContain('session s-long-id');
  screen.keys('a');
  expect(screen.answers).toHaveLength(1);
  screen.keys('?');
  expect(screen.text()).toContain('Amber: needs approval.');
});
