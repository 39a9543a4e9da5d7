import { describe, expect, test } from 'vitest';
import { fallback } from '../src/forwarder/fallback.ts';
import { scratchHome, startDaemon } from './support/daemon/daemon.ts';
import { callWith } from './support/engine.ts';

// A command over the budget asks. These agents can ask no one, so that it is denied.

const LARGE = `${'{ ls; '.repeat(150)}ls${'; }'.repeat(150)}`;
const TOOLS = { codex: 'Bash', droid: 'Execute' };

describe.each(Object.entries(TOOLS))('%s', (agent, tool_name) => {
  const payload = (command: string) => ({
    session_id: 's1',
    cwd: '/',
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input: { command },
  });

  test('is denied a command over the budget, with a daemon and without one', async () => {
    const paths = scratchHome();
    const daemon = await startDaemon(paths);
    const asked = async (command: string) =>
      JSON.stringify(await daemon.hub.call(callWith(agent, payload(command), { receivedAt: Date.now() })));
    expect(await asked('ls')).not.toContain('recommended/too-large');
    const answer = await asked(LARGE);
    expect(answer).toContain('recommended/too-large');
    expect(answer).toMatch(/"permissionDecision":"deny"|"action":"block_with_stderr"/);
    await daemon.stop();
    const offline = await fallback({
      home: paths.root,
      requestId: 'r1',
      agent,
      event: 'PreToolUse',
      env: {},
      stdin: Buffer.from(JSON.stringify(payload(LARGE))),
      ts: Date.now(),
      isStarted: true,
    });
    expect(JSON.stringify(offline)).toMatch(/"permissionDecision":"deny"|"action":"block_with_stderr"/);
    expect(JSON.stringify(offline)).toContain('recommended/too-large');
  });
});
