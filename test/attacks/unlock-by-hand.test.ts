import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { connect } from '../../src/client/client.ts';
import type { CallHandler } from '../../src/daemon/call-handler.ts';
import { handle } from '../../src/engine/handle.ts';
import { readConfig } from '../../src/home/config.ts';
import { createEngine, openHomeRules } from '../../src/home/engine.ts';
import { createSpoolRecorder } from '../../src/home/intake/spool.ts';
import type { HomePaths } from '../../src/home/paths.ts';
import { scratchHome, startDaemon } from '../support/daemon/daemon.ts';
import { callWith } from '../support/engine.ts';

// A file in the home with a future time used to pause protected rules. Anything able to write that file, through a link
// or an unknown program, had switched them off invisibly.

function writeByHand({ run }: HomePaths): void {
  mkdirSync(run, { recursive: true });
  writeFileSync(join(run, 'unlocked-until'), String(Date.now() + 3_600_000));
}

/** An agent that changes the configuration. */
const change = ({ config, root }: HomePaths, id = 's') =>
  callWith(
    'claude',
    AGENTS.get('claude')?.toolPayload({
      id,
      tool: 'Bash',
      input: { command: `echo x > ${config}` },
      cwd: root,
    }),
  );

async function isDenied(hub: CallHandler, paths: HomePaths, id?: string): Promise<boolean> {
  return JSON.stringify(await hub.call(change(paths, id))).includes('self-protection/files');
}

test('a file does not pause protected rules, with a daemon or without', async () => {
  const paths = scratchHome();
  writeByHand(paths);
  const config = readConfig(paths.config);
  const engine = createEngine({
    paths,
    config,
    rules: openHomeRules(paths, config),
    recorder: createSpoolRecorder(paths.spool),
  });
  const { record } = await handle(change(paths), engine);
  expect(record.response.decision).toBe('deny');
  const daemon = await startDaemon(paths);
  expect(await isDenied(daemon.hub, paths)).toBe(true);
  expect((await (await connect(paths))?.status())?.unlockedUntil).toBeNull();
});

test('the daemon’s token is not enough to pause protected rules', async () => {
  const daemon = await startDaemon(scratchHome());
  const response = await fetch(`${daemon.info.http}/api/unlock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${daemon.token}` },
    body: JSON.stringify({ minutes: 5 }),
  });
  expect(await response.json()).toMatchObject({ error: { code: 'NOT_A_PERSON' } });
  expect(daemon.hub.unlock.until()).toBeNull();
});

test('a pause by the daemon is shown, and ends when locked or when the daemon changes', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  const until = new Date(daemon.hub.unlock.open(5)).toISOString();
  expect(await isDenied(daemon.hub, paths, 'a')).toBe(false);
  expect((await (await connect(paths))?.status())?.unlockedUntil).toBe(until);
  daemon.hub.unlock.close();
  expect(await isDenied(daemon.hub, paths, 'b')).toBe(true);
  daemon.hub.unlock.open(5);
  await daemon.stop();
  const next = await startDaemon(paths);
  expect(await isDenied(next.hub, paths, 'c')).toBe(true);
});
