import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approval } from '../../../src/approvals/approval.ts';
import type { Access } from '../../../src/model/people/access.ts';
import { listEvents } from '../../../src/store/read/queries.ts';
import { openWire, scratchHome, startDaemon, until } from '../daemon/daemon.ts';
import { scratchFolder } from '../scratch.ts';

const anyone: Access = { decide: async () => ({ allowed: true, by: 'anyone', scriptKey: null }) };

/** A daemon with a rule that asks, and calls that wait for an answer. */
export async function waitingDaemon(notify: string, approvals = 'hold: always, waitSeconds: 600') {
  const paths = scratchHome(`approvals: {${approvals}}\nhttp: {port: 0}\nnotify: {${notify}}\n`);
  writeFileSync(join(paths.rules, 'a.yaml'), 'rules: [{ id: ask-curl, command: curl, ask: Look first. }]\n');
  return { paths, ...(await startWaiting(paths)) };
}

export async function startWaiting(paths: ReturnType<typeof scratchHome>) {
  const daemon = await startDaemon(paths, { access: anyone });
  const { queue } = daemon.hub.approvals;
  const repository = repositoryOn('main');
  let calls = 0;
  return {
    daemon,
    repository,
    /** Makes a call wait; gives its approval, and what the agent gets in the end. */
    async wait(command: string): Promise<{ approval: Approval; answer: () => Promise<unknown> }> {
      calls += 1;
      const wire = openWire(daemon.info.socket);
      const payload = {
        session_id: `s${calls}`,
        cwd: repository.folder,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
      };
      const known = new Set(queue.pending().map(({ id }) => id));
      wire.send(`${JSON.stringify({ request_id: `r${calls}`, ts: Date.now(), agent: 'claude', payload })}\n`);
      const found = () => queue.pending().find(({ id }) => !known.has(id));
      await until(() => found() !== undefined);
      // Others are told of it in the next turn of the event loop.
      await new Promise(setImmediate);
      const approval = found();
      if (!approval) throw new Error('nothing waits');
      return { approval, answer: async () => (await wire.got(2))[1] };
    },
    stateOf: (id: string) => queue.find(id)?.state,
    /** What was recorded of answers that did not count. */
    refusals: () =>
      listEvents(daemon.home.db, { session: 'access' }).flatMap(({ response }) =>
        response.decision === 'deny' ? [response.reason ?? ''] : [],
      ),
  };
}

/** A repository of which only the branch is known. */
function repositoryOn(branch: string) {
  const folder = join(scratchFolder(), 'shop');
  mkdirSync(join(folder, '.git'), { recursive: true });
  const checkOut = (name: string) => writeFileSync(join(folder, '.git', 'HEAD'), `ref: refs/heads/${name}\n`);
  checkOut(branch);
  return { folder, checkOut };
}
