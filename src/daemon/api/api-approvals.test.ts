import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../../test/support/daemon/daemon.ts';
import { answerApproval, fetchApprovals } from '../../client/approvals.ts';
import { connect } from '../../client/client.ts';
import type { Access } from '../../model/people/access.ts';

const anyone: Access = { decide: async () => ({ allowed: true, by: 'anyone', scriptKey: null }) };

async function waitingCall() {
  const paths = scratchHome('approvals: {hold: always}\nhttp: {port: 0}\n');
  writeFileSync(join(paths.rules, 'a.yaml'), 'rules: [{ id: ask-curl, command: curl, ask: Look first. }]\n');
  const daemon = await startDaemon(paths, { access: anyone });
  const client = await connect(paths);
  if (!client) throw new Error('no daemon');
  const wire = openWire(daemon.info.socket);
  const payload = {
    session_id: 's1',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'curl x' },
  };
  wire.send(`${JSON.stringify({ request_id: 'r1', ts: Date.now(), agent: 'claude', payload })}\n`);
  await until(async () => (await fetchApprovals(client)).pending.length === 1);
  const [waiting] = (await fetchApprovals(client)).pending;
  return { daemon, client, wire, id: waiting?.id ?? '' };
}

test('hands an approval back to the agent without a decision', async () => {
  const { daemon, client, wire, id } = await waitingCall();
  expect(await answerApproval(client, id, { decision: 'none' }, 'command line')).toMatchObject({
    ok: true,
    approval: {
      state: 'withdrawn',
      answer: null,
      settledBy: 'anyone (command line), who handed it back to the agent',
    },
  });
  const lines = await wire.got(2);
  expect(lines[1]).toMatchObject({
    payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'ask' } } },
  });
  expect(daemon.hub.approvals.queue.pending()).toEqual([]);
});

test("a deny with a longer scope isn't asked about again", async () => {
  const { client, wire, id } = await waitingCall();
  await answerApproval(client, id, { decision: 'deny', scope: 'always', message: 'Never.' }, 'command line');
  const [, first] = await wire.got(2);
  const payload = {
    session_id: 's2',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'curl x' },
  };
  wire.send(`${JSON.stringify({ request_id: 'r2', ts: Date.now(), agent: 'claude', payload })}\n`);
  const [, , second] = await wire.got(3);
  for (const line of [first, second])
    expect(line).toMatchObject({
      payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } },
    });
});
