import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchHome, until } from '../../test/support/daemon/daemon.ts';
import { scratchFolder } from '../../test/support/scratch.ts';
import { AGENTS } from '../agents/_registry.ts';
import { readConfig } from './config.ts';
import { createCoverage } from './coverage.ts';
import { userContext } from './inspect-agent.ts';

test('shows an agent as installed, then set up, and reports problems with its hooks', async () => {
  const user = scratchFolder();
  const bin = scratchFolder();
  vi.stubEnv('HOME', user);
  vi.stubEnv('PATH', bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  const paths = scratchHome();
  const home = { paths, config: readConfig(paths.config) };
  const claude = AGENTS.get('claude');
  if (!claude) throw new Error('no such agent');
  expect(createCoverage(home)()).toEqual([]);

  const program = join(bin, 'claude');
  writeFileSync(program, '#!/bin/sh\necho 1.2.3\n');
  chmodSync(program, 0o755);
  const coverage = createCoverage(home);
  await until(() => coverage().length > 0);
  expect(coverage()).toEqual([
    { id: 'claude', installed: true, version: '1.2.3', setUp: false, problems: [] },
  ]);

  for (const { path, after } of claude.setup.plan(userContext(claude, home))) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, after ?? '');
  }
  // The forwarder in the settings doesn't exist.
  const [agent] = coverage();
  expect(agent).toMatchObject({ id: 'claude', setUp: true });
  expect(agent?.problems.length).toBeGreaterThan(0);
});
