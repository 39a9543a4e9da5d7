import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/_registry.ts';
import type { HookEvent } from '../../src/model/events.ts';
import { callWith } from '../support/engine.ts';
import { judgedEvent } from './judged.ts';

// Users who let an agent work alone rely on a sandbox. The agent leaves it with one argument of the call.

function called(agent: string, input: Readonly<Record<string, unknown>>): HookEvent {
  const found = AGENTS.get(agent);
  if (!found) throw new Error(`no agent ${agent}`);
  const payload = found.toolPayload({ id: 's', tool: 'Bash', input, cwd: '/home/dev/shop' });
  return found.decode(callWith(agent, payload));
}

test.each([
  ['claude', { dangerouslyDisableSandbox: true }],
  ['claude', { dangerouslyDisableSandbox: 'true' }],
  ['codex', { sandbox_permissions: 'require_escalated' }],
  ['codex', { with_escalated_permissions: true }],
])('asks about a call of %s that leaves the sandbox: %o', (agent, argument) => {
  expect(judgedEvent()(called(agent, { command: 'ls', ...argument }))).toBe('ask');
});

test.each([
  ['claude', {}],
  ['claude', { dangerouslyDisableSandbox: false }],
  ['claude', { dangerouslyDisableSandbox: null }],
  ['codex', { sandbox_permissions: 'use_default' }],
])('no decision for one of %s that stays: %o', (agent, argument) => {
  expect(judgedEvent()(called(agent, { command: 'ls', ...argument }))).toBe('none');
});
