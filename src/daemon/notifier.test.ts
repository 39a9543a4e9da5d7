import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { card } from '../../test/support/approvals.ts';
import { isQuiet, type Notice } from '../notify/notice.ts';
import { terminalChannel, webhookChannel } from '../notify/send.ts';
import { createNotifier } from './notifier.ts';

function heard(parts: { on?: string[]; quiet?: string; at?: string; away?: boolean } = {}) {
  const notices: Notice[] = [];
  const notifier = createNotifier({
    channels: [async (notice) => void notices.push(notice)],
    on: parts.on ?? ['approval', 'turn', 'failure'],
    isQuiet: () =>
      parts.quiet !== undefined && isQuiet(parts.quiet, new Date(`2026-11-15T${parts.at ?? '12:00'}:00`)),
    isAway: () => parts.away ?? false,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    failed: (message) => {
      throw new Error(message);
    },
  });
  return { notices, notifier };
}

test('sends a notification for a new approval but not for its end', () => {
  const { notices, notifier } = heard();
  notifier.approval(card('a', { question: 'Use hunter2?' }));
  notifier.approval(card('a', { state: 'allowed' }));
  expect(notices).toEqual([
    { occasion: 'approval', title: 'agent needs approval', text: 'permission: Use [redacted]?' },
  ]);
});

test('sends nothing for unselected events or in quiet hours', () => {
  for (const { notices, notifier } of [
    heard({ on: ['turn'] }),
    heard({ quiet: '22:00-07:00', at: '23:30' }),
  ]) {
    notifier.approval(card('a'));
    expect(notices).toEqual([]);
  }
});

test('away mode sends approvals despite quiet hours and the settings', () => {
  const { notices, notifier } = heard({ on: ['turn'], quiet: '22:00-07:00', at: '23:30', away: true });
  expect(notifier.wantsApprovals()).toBe(true);
  notifier.approval(card('a'));
  expect(notices).toMatchObject([{ occasion: 'approval' }]);
});

test.each([
  ['22:00-07:00', '23:00', true],
  ['22:00-07:00', '06:59', true],
  ['22:00-07:00', '07:00', false],
  ['12:00-13:30', '13:29', true],
  ['12:00-13:30', '11:59', false],
])('%s at %s: quiet is %s', (hours, time, expected) => {
  expect(isQuiet(hours, new Date(`2026-11-15T${time}:00`))).toBe(expected);
});

test("a command can't send control codes to the terminal through a notification", async () => {
  const written: string[] = [];
  await terminalChannel(
    (text) => written.push(text),
    false,
  )({ occasion: 'turn', title: 't', text: 'a\x1b]0;b\x07c' });
  const inside = written.join('').slice(4, -1);
  expect(inside).not.toContain('\x07');
  expect(inside).not.toContain('\x1b');
});

test("sends a webhook in Slack's format, and reports a rejection as an error", async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)));
    request.on('end', () => response.writeHead(bodies.length === 1 ? 200 : 500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  const send = webhookChannel(url);
  await send({ occasion: 'turn', title: 'done', text: 'all of it' });
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ text: '*done*\nall of it' });
  await expect(send({ occasion: 'turn', title: 'x', text: 'y' })).rejects.toThrow('500');
  server.close();
});
