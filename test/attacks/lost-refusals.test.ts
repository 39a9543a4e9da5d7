import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import { hashOf } from '../../src/approvals/grant.ts';
import { handle } from '../../src/engine/handle.ts';
import { readConfig } from '../../src/home/config.ts';
import { createEngine, openHomeRules } from '../../src/home/engine.ts';
import { createSpoolRecorder } from '../../src/home/intake/spool.ts';
import type { HomePaths } from '../../src/home/paths.ts';
import { scratchHome } from '../support/daemon/daemon.ts';
import { callWith } from '../support/engine.ts';

// Damage to the file of grants must not remove denials, or denied calls would pass.

const REFUSED = {
  id: 'r1',
  behavior: 'deny',
  scope: 'always',
  key: hashOf({ key: 'mcp db/drop' }),
  text: 'db/drop',
  sessionId: null,
  project: null,
  branch: null,
  cwd: null,
  createdAt: '2026-11-01T00:00:00Z',
  expiresAt: null,
  by: 'ann',
  eventId: null,
};

/** The decision on an MCP call, by an engine that was just started. */
async function decisionOn(paths: HomePaths, tool: string): Promise<string> {
  const config = readConfig(paths.config);
  const rules = openHomeRules(paths, config);
  const engine = createEngine({ paths, config, rules, recorder: createSpoolRecorder(paths.spool) });
  const payload = AGENTS.get('claude')?.toolPayload({
    id: tool,
    tool: `mcp__db__${tool}`,
    input: { table: 'x' },
    cwd: paths.root,
  });
  const { record } = await handle(callWith('claude', payload), engine);
  return record.response.decision;
}

function home(): HomePaths {
  const paths = scratchHome();
  mkdirSync(paths.root, { recursive: true });
  return paths;
}

test('what was denied before the file broke is denied afterwards', async () => {
  const paths = home();
  writeFileSync(paths.grants, JSON.stringify([REFUSED]));
  expect(await decisionOn(paths, 'drop')).toBe('deny');
  writeFileSync(paths.grants, JSON.stringify([REFUSED]).slice(0, -5));
  expect(await decisionOn(paths, 'drop')).toBe('deny');
  expect(await decisionOn(paths, 'read')).toBe('none');
});

test('every call is asked about if the denials are lost', async () => {
  const paths = home();
  writeFileSync(paths.grants, '[{');
  expect(await decisionOn(paths, 'drop')).toBe('ask');
  expect(await decisionOn(paths, 'read')).toBe('ask');
});
