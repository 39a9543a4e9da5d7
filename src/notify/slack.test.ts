import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../test/support/daemon/daemon.ts';
import { startSlack } from '../../test/support/notify/slack.ts';
import { waitingDaemon } from '../../test/support/notify/waiting.ts';

async function withSlack(more = '') {
  const slack = await startSlack('xapp-1', 'xoxb-1');
  onTestFinished(slack.close);
  const waiting = await waitingDaemon(
    `link: 'https://phone.example/', slack: {server: '${slack.url}', appToken: xapp-1, botToken: xoxb-1, channel: C1${more}}`,
  );
  await until(() => slack.connections() === 1);
  const card = async (count = 1) => {
    await until(() => slack.messages.length >= count);
    const message = slack.messages[count - 1];
    if (!message) throw new Error('no message');
    return message;
  };
  return { slack, ...waiting, card };
}

test('a press answers, is acknowledged, and counts once however often it is delivered', async () => {
  const { slack, wait, card, stateOf, refusals } = await withSlack();
  const { approval } = await wait('curl http://a.example/<!channel>');
  const message = await card();
  expect(message.blocks.map(({ type }) => type)).toEqual(['section', 'section', 'actions']);
  expect(message.blocks[2]?.elements?.map(({ action_id }) => action_id)).toEqual(['allow', 'deny', 'open']);
  // A command must not mention people.
  expect(message.blocks[1]).toMatchObject({ text: { type: 'plain_text' } });
  slack.press(message, 'deny', { times: 2 });
  await until(() => stateOf(approval.id) === 'denied');
  await until(() => slack.acknowledged.length === 2);
  await until(() => message.blocks.every(({ type }) => type !== 'actions'));
  expect(message.blocks.at(-1)?.text?.text).toMatch(/^denied by \S+ \(Slack, @dora\)$/);
  expect(refusals()).toEqual([]);
});

test('only the configured channel and the named users may answer; a new connection continues', async () => {
  const { slack, wait, card, stateOf, refusals } = await withSlack(', users: [U1]');
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  slack.press(message, 'allow', { channel: 'C2' });
  slack.press(message, 'allow', { user: 'U2' });
  await until(() => refusals().length === 2);
  expect(stateOf(approval.id)).toBe('pending');
  slack.disconnect();
  await until(() => slack.connections() === 0);
  await until(() => slack.connections() === 1);
  slack.press(message, 'allow');
  await until(() => stateOf(approval.id) === 'allowed');
});

test('stops reading from a server that sends too much, and never requests compression', async () => {
  const { slack, wait, card, stateOf } = await withSlack();
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  expect(slack.extensions()).toBe('');
  slack.flood(1 << 20);
  await until(() => slack.connections() === 0);
  await until(() => slack.connections() === 1);
  expect(stateOf(approval.id)).toBe('pending');
  slack.press(message, 'deny');
  await until(() => stateOf(approval.id) === 'denied');
});
