import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../test/support/daemon/daemon.ts';
import { startTelegram } from '../../test/support/notify/telegram.ts';
import { waitingDaemon } from '../../test/support/notify/waiting.ts';

async function withTelegram(more = '') {
  const telegram = await startTelegram('123:abc');
  onTestFinished(telegram.close);
  const waiting = await waitingDaemon(
    `telegram: {server: '${telegram.url}', token: '123:abc', chat: 42${more}}`,
  );
  const card = async (count = 1) => {
    await until(() => telegram.messages.length >= count);
    const message = telegram.messages[count - 1];
    if (!message) throw new Error('no message');
    return message;
  };
  return { telegram, ...waiting, card };
}

test('a press in the chat answers, and the message shows how it ended', async () => {
  const { telegram, wait, card, daemon, stateOf } = await withTelegram();
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  expect(message.text).toContain('claude · shop · main\n\n$ curl http://a.example');
  // A link to this machine is useless on a phone, and Telegram would reject it.
  expect(message.buttons.map(({ text }) => text)).toEqual(['Allow once', 'Deny']);
  telegram.press(message, 'Allow once');
  await until(() => stateOf(approval.id) === 'allowed');
  expect(daemon.hub.approvals.queue.find(approval.id)?.settledBy).toMatch(/\(Telegram, @dora\)$/);
  await until(() => message.buttons.length === 0);
  expect(message.text).toMatch(/allowed by \S+ \(Telegram, @dora\)$/);
  await until(() => telegram.said.length > 0);
  expect(telegram.said).toEqual(['Allowed once.']);
});

test('removes the buttons of an approval answered elsewhere', async () => {
  const { wait, card, daemon } = await withTelegram();
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  daemon.hub.approvals.queue.settle(approval.id, {
    state: 'denied',
    answer: { decision: 'deny' },
    by: 'dev (dashboard)',
  });
  await until(() => message.buttons.length === 0);
  expect(message.text).toContain('denied by dev (dashboard)');
});

test('accepts answers only from the configured chat and its listed users', async () => {
  const { telegram, wait, card, stateOf, refusals } = await withTelegram(', users: [7]');
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  telegram.press(message, 'Allow once', { chat: 43 });
  telegram.press(message, 'Allow once', { from: 8 });
  await until(() => refusals().length === 2);
  expect(refusals()[0]).toContain('a chat that is not the configured one');
  expect(refusals()[1]).toContain('user 8 may not answer');
  expect(stateOf(approval.id)).toBe('pending');
  await until(() => telegram.said.length === 2);
  expect(telegram.said[0]).toContain('Answer rejected');
});
