import { expect, test } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { settlementText } from '../approvals/approval.ts';

const ASKS = 'http: {port: 0}\napprovals: {hold: always}\n';

const request = (id: string, more: object = {}) => {
  const payload = {
    session_id: 's1',
    cwd: '/',
    hook_event_name: 'PermissionRequest',
    tool_name: 'Bash',
    tool_input: { command: 'git push' },
  };
  return `${JSON.stringify({ request_id: id, ts: Date.now(), agent: 'claude', env: {}, payload, ...more })}\n`;
};

test('a forwarder that asks again with the same ID keeps its approval when its first connection closes', async () => {
  const daemon = await startDaemon(scratchHome(ASKS));
  const { queue } = daemon.hub.approvals;
  const ended: (string | null)[] = [];
  queue.subscribe(({ state, settledBy }) => void (state === 'pending' || ended.push(settledBy)));
  const first = openWire(daemon.info.socket);
  first.send(request('r1'));
  await until(() => queue.pending().length === 1);
  const second = openWire(daemon.info.socket);
  second.send(request('r1'));
  await until(() => queue.pending().length === 2);
  first.socket.destroy();
  await until(() => ended.length === 1);
  expect(ended).toEqual(['the agent disconnected']);
  const [left] = queue.pending();
  queue.settle(left?.id ?? '', { state: 'denied', answer: { decision: 'deny', message: 'no' }, by: 'ann' });
  const [hold, answer] = await second.got(2);
  expect(hold).toMatchObject({ request_id: 'r1', hold_ms: expect.any(Number) });
  expect(JSON.stringify(answer)).toContain('"deny"');
});

const DENIED = { state: 'denied', answer: { decision: 'deny', message: 'no' }, by: 'ann' } as const;

test.each([
  ['confirmed', true, 'denied by ann'],
  [
    'not confirmed before the hang-up',
    false,
    'denied by ann, not delivered: the agent disconnected before it received the answer',
  ],
])('records an answer that is %s as such', async (_, isConfirmed, words) => {
  const daemon = await startDaemon(scratchHome(ASKS));
  const { queue } = daemon.hub.approvals;
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', { accepts: ['hold_ms', 'error', 'confirm'] }));
  await until(() => queue.pending().length === 1);
  const id = queue.pending()[0]?.id ?? '';
  queue.settle(id, DENIED);
  const [, answer] = await wire.got(2);
  expect(answer).toMatchObject({ request_id: 'r1', confirm: true });
  expect(queue.find(id)).not.toHaveProperty('delivered');
  if (isConfirmed) wire.send('{"request_id":"r1","got":true}\n');
  else wire.socket.destroy();
  await until(() => queue.find(id)?.delivered !== undefined);
  const end = queue.find(id) ?? expect.fail('no approval');
  expect(end.delivered).toBe(isConfirmed);
  expect(settlementText(end)).toBe(words);
  expect(wire.lines).toHaveLength(2);
});

test("doesn't ask an older forwarder for confirmation, so delivery stays unknown", async () => {
  const daemon = await startDaemon(scratchHome(ASKS));
  const { queue } = daemon.hub.approvals;
  const wire = openWire(daemon.info.socket);
  wire.send(request('r1', { accepts: ['hold_ms', 'error'] }));
  await until(() => queue.pending().length === 1);
  const id = queue.pending()[0]?.id ?? '';
  queue.settle(id, DENIED);
  const [, answer] = await wire.got(2);
  expect(answer).not.toHaveProperty('confirm');
  expect(queue.find(id)).not.toHaveProperty('delivered');
});
