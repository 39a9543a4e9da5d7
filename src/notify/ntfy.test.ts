import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../test/support/daemon/daemon.ts';
import { type NtfyMessage, startNtfy } from '../../test/support/notify/ntfy.ts';
import { startWaiting, waitingDaemon } from '../../test/support/notify/waiting.ts';
import { findEvent } from '../store/read/queries.ts';

const TOPIC = 'cards-3f9a1c7be2d84056';
const REPLIES = 'replies-3f9a1c7be2d84056';

async function withNtfy(
  options: Parameters<typeof startNtfy>[0] & { more?: string; approvals?: string } = {},
) {
  const ntfy = await startNtfy(options);
  onTestFinished(() => ntfy.close());
  const settings = `server: '${ntfy.url}', topic: ${TOPIC}, replyTopic: ${REPLIES}${options.more ?? ''}`;
  const waiting = await waitingDaemon(`ntfy: {${settings}}`, options.approvals);
  await until(() => ntfy.listeners(REPLIES) === 1);
  const card = async (count = 1): Promise<NtfyMessage> => {
    await until(() => ntfy.messages(TOPIC).length >= count);
    const message = ntfy.messages(TOPIC)[count - 1];
    if (!message) throw new Error('no card');
    return message;
  };
  const post = (body: string) => fetch(`${ntfy.url}/${REPLIES}`, { method: 'POST', body });
  return { ntfy, ...waiting, card, post };
}

const bodyOf = (message: NtfyMessage, label: string) =>
  message.actions.find((one) => one.label === label)?.body ?? '';

test('sends a pending approval with agent, project and command, and its buttons answer it', async () => {
  const { ntfy, wait, card, daemon } = await withNtfy();
  const first = await wait('curl http://a.example');
  const message = await card();
  expect(message.title).toBe('claude · shop · main');
  // Where it ends on another day, the day is named: so it does just before midnight.
  expect(message.message).toMatch(
    /^\$ curl http:\/\/a\.example\nLook first\.\nPending until (?:\w{3} \w{3} \d{1,2} )?\d\d:\d\d\.$/,
  );
  expect(message.actions.map(({ action, label }) => [action, label])).toEqual([
    ['http', 'Allow once'],
    ['http', 'Deny'],
    ['view', 'Open'],
  ]);
  expect(await ntfy.press(message, 'Allow once')).toBe(200);
  expect(await first.answer()).toMatchObject({
    payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'allow' } } },
  });
  const settled = daemon.hub.approvals.queue.find(first.approval.id);
  expect(settled).toMatchObject({ state: 'allowed', answer: { decision: 'allow', scope: 'once' } });
  expect(settled?.settledBy).toMatch(/^\S+ \(ntfy\)$/);

  const second = await wait('curl http://b.example');
  await ntfy.press(await card(2), 'Deny');
  expect(await second.answer()).toMatchObject({
    payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } },
  });
  const [opinion] = findEvent(daemon.home.db, 'r2')?.opinions.filter(({ kind }) => kind === 'approval') ?? [];
  expect(opinion?.by).toMatch(/^denied by \S+ \(ntfy\)$/);
  // The message applies to that call alone.
  const third = await wait('curl http://a.example');
  expect(third.approval.state).toBe('pending');
});

test('replayed, altered, forged and unknown answers change nothing and are recorded', async () => {
  const { ntfy, wait, card, post, stateOf, refusals, daemon } = await withNtfy();
  const { approval, answer } = await wait('curl http://a.example');
  const message = await card();
  const deny = bodyOf(message, 'Deny');
  const [, id, expiry = '', signature = ''] = deny.split('.');
  const later = (Number.parseInt(expiry, 36) + 3_600_000).toString(36);
  const bad = [
    // The other decision's signature, another expiry, another approval, a signature of others, and garbage.
    deny.replace(/^d/, 'a'),
    ['d', id, later, signature].join('.'),
    ['d', 'ffffffff', expiry, signature].join('.'),
    ['a', id, expiry, 'A'.repeat(43)].join('.'),
    'yes',
    JSON.stringify({ id, decision: 'allow', scope: 'always' }),
  ];
  for (const text of bad) await post(text);
  await until(() => refusals().length === bad.length);
  expect(stateOf(approval.id)).toBe('pending');
  expect(refusals().map((one) => one.replace(id ?? '', 'ID'))).toEqual(
    [
      'its signature for ID is wrong',
      'its signature for ID is wrong',
      'no approval ffffffff was sent there',
      'its signature for ID is wrong',
      'it is not an answer that Hookline has signed',
      'it is not an answer that Hookline has signed',
    ].map((why) => `An answer over ntfy did not count: ${why}.`),
  );

  await ntfy.press(message, 'Deny');
  await answer();
  // Repeated, and the other one: neither counts after the first.
  await ntfy.press(message, 'Deny');
  await ntfy.press(message, 'Allow once');
  await until(() => refusals().length === bad.length + 2);
  expect(refusals().slice(-2)).toEqual(
    Array(2).fill(`An answer over ntfy did not count: ${approval.id} was answered or ended before.`),
  );
  expect(stateOf(approval.id)).toBe('denied');
  expect(daemon.hub.approvals.queue.find(approval.id)?.answer?.decision).toBe('deny');
});

test('a late answer changes nothing and is recorded', async () => {
  const { ntfy, wait, card, stateOf, refusals, daemon } = await withNtfy();
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  daemon.hub.approvals.queue.settle(approval.id, { state: 'expired', by: 'time' });
  await ntfy.press(message, 'Allow once');
  await until(() => refusals().length === 1);
  expect(stateOf(approval.id)).toBe('expired');
});

test('rejects an answer to a changed approval and sends the new one', async () => {
  const { ntfy, wait, card, stateOf, refusals, repository } = await withNtfy();
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  repository.checkOut('release');
  await ntfy.press(message, 'Allow once');
  await until(() => refusals().length === 1);
  expect(refusals()[0]).toContain(`${approval.id} is no longer what was shown`);
  expect(stateOf(approval.id)).toBe('pending');
  const current = await card(2);
  expect(current.title).toBe('claude · shop · release');
  await ntfy.press(message, 'Allow once');
  await until(() => refusals().length === 2);
  await ntfy.press(current, 'Allow once');
  await until(() => stateOf(approval.id) === 'allowed');
});

test("an answer for another daemon of the same home doesn't count", async () => {
  const { ntfy, wait, card, daemon, paths } = await withNtfy();
  await wait('curl http://a.example');
  const message = await card();
  await daemon.stop();
  await until(() => ntfy.listeners(REPLIES) === 0);
  const next = await startWaiting(paths);
  await until(() => ntfy.listeners(REPLIES) === 1);
  const { approval } = await next.wait('curl http://a.example');
  await ntfy.press(message, 'Allow once');
  await until(() => next.refusals().length === 1);
  expect(next.stateOf(approval.id)).toBe('pending');
});

test('a failing server loses no approval and allows none', async () => {
  const { ntfy, wait, card, stateOf, refusals, daemon } = await withNtfy();
  await ntfy.stop();
  const { approval, answer } = await wait('curl http://a.example');
  // Three failures in a row are shown on every surface.
  await until(() => daemon.home.alerts.list().some(({ code }) => code === 'channel-ntfy'));
  expect(stateOf(approval.id)).toBe('pending');
  ntfy.start();
  const message = await card();
  await ntfy.press(message, 'Allow once');
  await answer();
  expect(stateOf(approval.id)).toBe('allowed');
  expect(refusals()).toEqual([]);
  await until(() => daemon.home.alerts.list().every(({ code }) => code !== 'channel-ntfy'));
});

test('reads an answer given while disconnected after the reconnection, once', async () => {
  const { ntfy, wait, card, stateOf, refusals } = await withNtfy();
  const first = await wait('curl http://a.example');
  const second = await wait('curl http://b.example');
  await ntfy.press(await card(1), 'Deny');
  await until(() => stateOf(first.approval.id) === 'denied');
  const [last] = ntfy.messages(REPLIES);
  await ntfy.stop();
  ntfy.start();
  // Before the connection is back.
  await ntfy.press(await card(2), 'Deny');
  await until(() => stateOf(second.approval.id) === 'denied');
  expect(ntfy.opened(REPLIES).at(-1)).toBe(last?.id);
  // A server that delivers twice doesn't count as an attempt.
  for (const message of ntfy.messages(REPLIES)) ntfy.repeat(message);
  const third = await wait('curl http://c.example');
  await ntfy.press(await card(3), 'Deny');
  await until(() => stateOf(third.approval.id) === 'denied');
  expect(refusals()).toEqual([]);
});

test('a silent server delays neither calls nor the stop', async () => {
  const { ntfy, wait, stateOf, daemon } = await withNtfy();
  ntfy.stall(true);
  const { approval } = await wait('curl http://a.example');
  const other = await wait('curl http://b.example');
  daemon.hub.approvals.queue.settle(other.approval.id, {
    state: 'denied',
    answer: { decision: 'deny' },
    by: 'test',
  });
  await other.answer();
  expect(stateOf(approval.id)).toBe('pending');
  await daemon.stop();
  await until(() => ntfy.listeners(REPLIES) === 0);
  ntfy.stall(false);
});

test('sends the token with every request, but not in the buttons', async () => {
  const { ntfy, wait, card, stateOf } = await withNtfy({
    token: 'tk_3f9a1c7be2d84056aaaa',
    writable: [REPLIES],
    more: ', token: tk_3f9a1c7be2d84056aaaa',
  });
  const { approval } = await wait('curl http://a.example');
  const message = await card();
  expect(JSON.stringify(message)).not.toContain('tk_');
  expect(await ntfy.press(message, 'Deny')).toBe(200);
  await until(() => stateOf(approval.id) === 'denied');
});

test.each([
  ['none', 'Hookline', /^An approval is pending\.$/],
  ['title', 'claude · shop · main', /^Bash\. Pending until/],
])("detail %s leaves out the rest, and what can't be seen can't be allowed", async (detail, title, text) => {
  const { wait, card } = await withNtfy({ more: `, detail: ${detail}` });
  await wait('curl http://a.example');
  const message = await card();
  expect(message.title).toBe(title);
  expect(message.message).toMatch(text);
  expect(message.actions.map(({ label }) => label)).toEqual(['Deny', 'Open']);
});

test('missing topics are created once, readable only by this user', async () => {
  const ntfy = await startNtfy();
  onTestFinished(() => ntfy.close());
  const { paths, wait, daemon } = await waitingDaemon(`ntfy: {server: '${ntfy.url}'}`);
  const { ntfy: topics } = JSON.parse(readFileSync(paths.channels, 'utf8'));
  expect(topics.topic).toMatch(/^hookline-[-_A-Za-z0-9]{24}$/);
  expect(topics.replyTopic).not.toBe(topics.topic);
  expect(statSync(paths.channels).mode & 0o777).toBe(0o600);
  await wait('curl http://a.example');
  await until(() => ntfy.messages(topics.topic).length === 1);
  await daemon.stop();
  await startWaiting(paths);
  expect(JSON.parse(readFileSync(paths.channels, 'utf8'))).toEqual({ ntfy: topics });
});
