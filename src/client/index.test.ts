import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openWire, scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { scriptIn } from '../live/as-script.ts';
import { askAsScript, connect, HooklineError } from './index.ts';

/** A home with a daemon, and an agent that wants to run a command that needs approval. */
async function pendingCall() {
  const paths = scratchHome();
  writeFileSync(join(paths.rules, 'a.yaml'), 'rules: [{ id: ask-curl, command: curl, ask: Look first. }]\n');
  const daemon = await startDaemon(paths);
  onTestFinished(() => askAsScript(null));
  const client = await connect({ home: paths.root, name: 'status bar' });
  if (client === null) throw new Error('no daemon');
  const interrupt = new AbortController();
  onTestFinished(() => interrupt.abort());
  const news: true[] = [];
  const following = client.follow(() => void news.push(true), { signal: interrupt.signal, answers: true });
  await until(() => news.length > 0);
  const wire = openWire(daemon.info.socket);
  const payload = {
    ...{ session_id: 's1', cwd: '/', hook_event_name: 'PreToolUse' },
    ...{ tool_name: 'Bash', tool_input: { command: 'curl x' } },
  };
  wire.send(`${JSON.stringify({ request_id: 'r1', ts: Date.now(), agent: 'claude', payload })}\n`);
  await until(async () => (await client.approvals()).pending.length === 1);
  const [approval] = (await client.approvals()).pending;
  if (!approval) throw new Error('no approval');
  return { daemon, client, approval, wire, interrupt, following, key: scriptIn(paths).key, news };
}

test('without a daemon there is nothing to connect to', async () => {
  expect(await connect({ home: scratchHome().root })).toBeNull();
});

test('a script with a key answers pending approvals, once and under its name', async () => {
  const { daemon, client, approval, wire, key, news } = await pendingCall();
  expect(client.version).toBe(daemon.info.version);
  expect(approval).toMatchObject({ source: 'claude', reason: 'Look first.', tool: { command: 'curl x' } });
  askAsScript(key);
  const before = news.length;
  expect(await client.answer(approval.id, { decision: 'deny', message: 'No.' })).toMatchObject({
    ok: true,
    approval: { state: 'denied', settledBy: expect.stringContaining('(status bar)') },
  });
  expect((await wire.got(2))[1]).toMatchObject({
    payload: { stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } } },
  });
  expect((await client.answer(approval.id, { decision: 'allow' })).ok).toBe(false);
  const { pending, recent } = await client.approvals();
  expect([pending, recent.map(({ id }) => id)]).toEqual([[], [approval.id]]);
  await until(() => news.length > before);
});

test('an unknown key answers nothing, and the error has a code', async () => {
  const { client, approval } = await pendingCall();
  askAsScript('hookline-script-unknown');
  const answered = client.answer(approval.id, { decision: 'allow' });
  await expect(answered).rejects.toBeInstanceOf(HooklineError);
  await expect(answered).rejects.toMatchObject({ code: 'NOT_A_PERSON' });
  expect((await client.approvals()).pending).toHaveLength(1);
});

test('following ends with the signal and no longer counts as a surface that answers', async () => {
  const { daemon, interrupt, following } = await pendingCall();
  interrupt.abort();
  await following;
  await until(() => daemon.hub.approvals.queue.pending().length === 0);
});
