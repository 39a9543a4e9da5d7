import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import claude from '../../agents/claude/index.ts';
import { createAlerts } from '../../home/alerts.ts';
import { readConfig } from '../../home/config.ts';
import { userContext } from '../../home/inspect-agent.ts';
import { homePaths } from '../../home/paths.ts';
import { createGuardWatch } from './guard-watch.ts';

/** A home whose agent has the hooks of Hookline, seen once by the watch. */
function watched() {
  const folder = scratchFolder();
  vi.stubEnv('HOME', folder);
  vi.stubEnv('CLAUDE_CONFIG_DIR', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const paths = homePaths(folder);
  const home = { paths, config: readConfig(paths.config), alerts: createAlerts(() => {}) };
  const context = userContext(claude, home);
  mkdirSync(dirname(context.forwarder), { recursive: true });
  writeFileSync(context.forwarder, '#!/bin/sh\n', { mode: 0o755 });
  const write = (edits: ReturnType<typeof claude.setup.plan>) => {
    for (const { path, after } of edits) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, after ?? '{}');
      expect(existsSync(path) && readFileSync(path, 'utf8')).toBeTruthy();
    }
  };
  write(claude.setup.plan(context));
  const watch = createGuardWatch(home);
  watch.look();
  const remove = () => write(claude.setup.planRemoval(context));
  return { watch, remove, lost: () => home.alerts.list().map(({ code }) => code) };
}

test('hooks that disappear are reported', () => {
  const { watch, remove, lost } = watched();
  remove();
  watch.look();
  expect(lost()).toEqual(['guard-lost-claude']);
});

test('hooks that a person removed are not reported', () => {
  const { watch, remove, lost } = watched();
  remove();
  watch.removed(claude);
  watch.look();
  expect(lost()).toEqual([]);
});

test('hooks that are still there are watched on', () => {
  const { watch, remove, lost } = watched();
  watch.removed(claude);
  remove();
  watch.look();
  expect(lost()).toEqual(['guard-lost-claude']);
});
