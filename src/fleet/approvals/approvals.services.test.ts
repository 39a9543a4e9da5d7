import { expect } from 'vitest';
import { until } from '../../../test/support/daemon/daemon.ts';
import { openStranger, startMachine } from '../../../test/support/fleet/approvals.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { answerApproval } from '../../client/approvals.ts';
import { shownApproval } from '../../daemon/approval-view.ts';
import { redact } from '../../redact/redact.ts';
import { teamNames } from '../subjects.ts';
import { removeApprover } from './approvers.ts';
import { shownHash } from './messages.ts';
import { signMessage } from './signed-message.ts';

const names = teamNames('test');
const allowed = { payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'allow' } } } };
const denied = { payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } } };

/** Two machines: approvals of the first can be answered on the second. */
async function pair(only: 'deny' | 'once' = 'once') {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const laptop = await startMachine(server, 'laptop');
  desk.lets(laptop.machine, only);
  return { server, desk, laptop };
}

/** A stranger in place of the second machine, with only a key and a connection. It sends whatever it likes. */
async function withStranger(isOnList: boolean) {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const stranger = await openStranger(server);
  if (isOnList) desk.lets(stranger.machine);
  const verdicts: unknown[] = [];
  const cards: unknown[] = [];
  stranger.messenger.listen('verdict', stranger.machine.id, (_, body) => verdicts.push(body));
  stranger.messenger.listen('pending', stranger.machine.id, (_, body) => cards.push(body));
  const waiting = await desk.wait('curl example.com');
  const { id } = waiting.approval;
  const shown = shownHash(redact(JSON.stringify(shownApproval(waiting.approval))));
  const answer = { id, decision: 'allow', shown, by: 'mallory', nonce: 'n' } as const;
  const send = (more: object = {}) =>
    void stranger.messenger.send('answer', desk.machine.id, { ...answer, ...more });
  return { server, desk, stranger, verdicts, cards, waiting, id, answer, send };
}

test('an approval of one machine is answered on another', async () => {
  const { desk, laptop } = await pair();
  const { approval, answer } = await desk.wait('curl example.com');
  await laptop.sees(approval.id);
  const [card] = await laptop.listed();
  expect(card).toMatchObject({
    id: approval.id,
    machine: { id: desk.machine.id, name: 'desk' },
    place: 'desk: shop · main',
    tool: { command: 'curl example.com' },
  });
  const { ok, approval: ended } = await laptop.answer(approval.id.slice(0, 6), 'allow');
  expect([ok, ended.state]).toEqual([true, 'allowed']);
  expect(await answer()).toMatchObject(allowed);
  expect(desk.daemon.hub.approvals.queue.find(approval.id)).toMatchObject({
    state: 'allowed',
    settledBy: 'anyone (fleet, laptop, command line)',
    answer: { decision: 'allow', scope: 'once' },
  });
  expect(await laptop.listed()).toEqual([]);
  expect(desk.refusals()).toEqual([]);
});

test('a denial includes its reason', async () => {
  const { desk, laptop } = await pair('deny');
  const { approval, answer } = await desk.wait('curl example.com');
  await laptop.sees(approval.id);
  await expect(laptop.answer(approval.id, 'allow')).rejects.toThrow(
    'desk rejected the answer: Answer rejected: laptop may only deny.',
  );
  expect(desk.refusals()).toEqual(['An answer over the fleet did not count: laptop may only deny.']);
  const reply = { decision: 'deny', message: 'Use the mirror.' } as const;
  expect(await answerApproval(laptop.client, approval.id, reply, 'terminal')).toMatchObject({ ok: true });
  expect(await answer()).toMatchObject(denied);
  expect(JSON.stringify(await answer())).toContain('Use the mirror.');
});

test('sends nothing without approvers, and never a secret', async () => {
  const { server, desk, laptop } = await pair();
  removeApprover(desk.paths, laptop.machine.id);
  const { nats } = await openTestSession(testSettings(server));
  const said: string[] = [];
  nats.subscribe(names.approval('*', 'pending', laptop.machine.id), {
    callback: (_, message) => void said.push(message.string()),
  });
  await nats.flush();
  await desk.wait('curl first.example.com');
  desk.lets(laptop.machine);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const { approval } = await desk.wait(`curl -H "Authorization: Bearer ${secret}" second.example.com`);
  await laptop.sees(approval.id);
  await until(() => said.length > 0);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('second.example.com');
  expect(said[0]).not.toContain(secret);
});

test.each([
  ['for longer', { decision: 'allow', scope: 'project' }, 'only answer it once from here'],
  ['with other arguments', { decision: 'allow', input: { command: 'rm x' } }, "can't edit the call"],
  ['to its agent', { decision: 'none' }, 'not hand it back'],
  ['and ends the turn', { decision: 'deny', halt: true }, 'can only allow or deny it'],
] as const)('sends no answer from one machine to another %s', async (_, reply, message) => {
  const { desk, laptop } = await pair();
  const { approval } = await desk.wait('curl example.com');
  await laptop.sees(approval.id);
  await expect(answerApproval(laptop.client, approval.id, reply, 'terminal')).rejects.toThrow(message);
  expect(desk.stateOf(approval.id)).toBe('pending');
});

test("a machine that isn't on the list sees nothing, and its answer has no effect", async () => {
  const { desk, cards, verdicts, id, send, stranger } = await withStranger(false);
  send();
  await until(() => verdicts.length > 0);
  expect(verdicts).toMatchObject([{ counts: false, end: null }]);
  expect(desk.stateOf(id)).toBe('pending');
  expect(cards).toEqual([]);
  expect(desk.refusals()).toEqual([
    `An answer over the fleet did not count: the machine ${stranger.machine.id.slice(0, 8)} can't answer here.`,
  ]);
});

test.each([
  ['of something else', { shown: shownHash('curl other.example.com') }, 'was shown a different version of'],
  ['to nothing that was sent', { id: 'ffffffff' }, 'no approval ffffffff was sent'],
  ['in another form', { decision: 'always' }, 'it is not a valid answer'],
])('an answer %s has no effect', async (_, more, why) => {
  const { desk, id, send } = await withStranger(true);
  send(more);
  await until(() => desk.refusals().length > 0);
  expect(desk.refusals()[0]).toContain(why);
  expect(desk.stateOf(id)).toBe('pending');
});

test('an answer counts once, even if sent again', async () => {
  const { server, desk, stranger, verdicts, waiting, id, send } = await withStranger(true);
  const { nats } = await openTestSession(testSettings(server));
  const copies: { readonly subject: string; readonly data: Uint8Array }[] = [];
  nats.subscribe(names.approval('*', 'answer', desk.machine.id), {
    callback: (_, { subject, data }) => void copies.push({ subject, data }),
  });
  await nats.flush();
  send();
  await until(() => verdicts.length === 1 && copies.length === 1);
  expect(verdicts).toMatchObject([{ counts: true, end: { state: 'allowed' } }]);
  expect(await waiting.answer()).toMatchObject(allowed);
  expect(desk.refusals()).toEqual([]);
  const next = await desk.wait('curl next.example.com');
  for (const { subject, data } of copies.slice()) nats.publish(subject, data);
  await until(() => verdicts.length === 2);
  expect(verdicts[1]).toMatchObject({ counts: false });
  expect(desk.refusals()).toEqual([
    `An answer over the fleet did not count: ${id} was answered or ended before.`,
  ]);
  expect(desk.stateOf(next.approval.id)).toBe('pending');
  expect(stranger.machine.id).not.toBe(desk.machine.id);
});

test('rejects an answer signed by another machine', async () => {
  const { server, desk, stranger, answer, id } = await withStranger(false);
  const laptop = await startMachine(server, 'laptop');
  desk.lets(laptop.machine);
  const { nats } = await openTestSession(testSettings(server));
  const subject = names.approval(laptop.machine.id, 'answer', desk.machine.id);
  // Signed with its own key, not at all, and by the laptop for another subject.
  const hello = names.approval(laptop.machine.id, 'hello', 'all');
  const { signer } = desk.daemon.home;
  nats.publish(subject, signMessage(signer, subject, answer));
  nats.publish(subject, 'allow');
  nats.publish(subject, signMessage(laptop.daemon.home.signer, hello, answer));
  await until(() => desk.refusals().length === 3);
  for (const one of desk.refusals()) expect(one).toContain('did not sign it');
  expect(desk.stateOf(id)).toBe('pending');
  expect(stranger.machine.id).not.toBe(laptop.machine.id);
});

test('shows a changed approval again before it can be answered', async () => {
  const { desk, laptop } = await pair();
  const { approval, answer } = await desk.wait('curl example.com');
  await laptop.sees(approval.id);
  desk.repository.checkOut('release');
  await expect(laptop.answer(approval.id, 'allow')).rejects.toThrow('desk rejected the answer');
  expect(desk.refusals()[0]).toContain('is no longer what was shown');
  await until(async () => (await laptop.listed())[0]?.place === 'desk: shop · release');
  await laptop.answer(approval.id, 'allow');
  expect(await answer()).toMatchObject(allowed);
});

test('of two simultaneous answers exactly one counts', async () => {
  const { server, desk, laptop } = await pair();
  const tablet = await startMachine(server, 'tablet');
  desk.lets(tablet.machine);
  for (let round = 0; round < 5; round += 1) {
    const { approval, answer } = await desk.wait(`curl ${round}.example.com`);
    await Promise.all([laptop.sees(approval.id), tablet.sees(approval.id)]);
    const results = await Promise.all([
      laptop.answer(approval.id, 'allow'),
      tablet.answer(approval.id, 'deny'),
      desk.answer(approval.id, 'deny'),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const [end] = new Set(results.map((one) => one.approval.state));
    expect(new Set(results.map((one) => one.approval.state)).size).toBe(1);
    expect(await answer()).toMatchObject(end === 'allowed' ? allowed : denied);
    await Promise.all([laptop.seesNot(approval.id), tablet.seesNot(approval.id)]);
  }
});

test('an answer after the end is too late', async () => {
  const { desk, verdicts, waiting, id, send } = await withStranger(true);
  desk.daemon.hub.approvals.queue.withdraw((one) => one.id === id, 'the agent disconnected');
  await waiting.answer();
  send();
  await until(() => verdicts.length > 0);
  expect(verdicts).toMatchObject([
    { counts: false, end: { state: 'withdrawn', by: 'the agent disconnected' } },
  ]);
  expect(desk.refusals()[0]).toMatch(/did not count: \w+ was /);
});

test('without the server the machine decides alone, and sends what is still pending again later', async () => {
  const { server, desk, laptop } = await pair();
  const first = await desk.wait('curl first.example.com');
  const second = await desk.wait('curl second.example.com');
  await Promise.all([laptop.sees(first.approval.id), laptop.sees(second.approval.id)]);
  await server.kill();
  await until(() => !desk.isConnected() && !laptop.isConnected());
  // It can't be answered remotely, so it isn't listed there.
  expect(await laptop.listed()).toEqual([]);
  expect(await desk.answer(first.approval.id, 'allow')).toMatchObject({ ok: true });
  expect(await first.answer()).toMatchObject(allowed);
  const third = await desk.wait('curl third.example.com');
  await server.start();
  await Promise.all([laptop.sees(second.approval.id), laptop.sees(third.approval.id)]);
  expect((await laptop.listed()).map(({ id }) => id)).not.toContain(first.approval.id);
  await laptop.answer(third.approval.id, 'deny');
  expect(await third.answer()).toMatchObject(denied);
});

test('a machine that connects later sees pending approvals', async () => {
  const server = await startServer();
  const desk = await startMachine(server, 'desk');
  const { machine, messenger, nats } = await openStranger(server);
  desk.lets(machine);
  const cards: unknown[] = [];
  messenger.listen('pending', machine.id, (_, body) => cards.push(body));
  await nats.flush();
  const { approval } = await desk.wait('curl example.com');
  await until(() => cards.length > 0);
  cards.length = 0;
  messenger.send('hello', 'all', {});
  await until(() => cards.length > 0);
  expect(cards).toHaveLength(1);
  expect(JSON.stringify(cards[0])).toContain(approval.id);
});

test('shows machines by their own names', async () => {
  const { desk, laptop } = await pair();
  expect(await desk.client.get('/api/fleet/machines')).toEqual({
    machines: [{ id: laptop.machine.id, name: 'laptop' }],
  });
});
