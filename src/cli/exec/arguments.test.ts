import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { CLIENTS } from '../../agents/_clients.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { SetupContext } from '../../agents/setup/setup.ts';
import { messageOf } from '../../model/errors.ts';
import { checkedPrompt, refuseEscapes, refuseVariables, timeoutOf, withGiven } from './arguments.ts';

const PROMPT = 'fix --the tests';
const agentOf = (id: string) => {
  const agent = AGENTS.get(id);
  if (!agent) throw new Error(`no agent ${id}`);
  return agent;
};

test.each(Object.entries(CLIENTS))(
  '%s: what its turn has, and what it needs to be trusted, is not an escape',
  async (id, load) => {
    const client = await load();
    const args = withGiven(client.turn(PROMPT, {}), PROMPT, client.trusting);
    expect(() => refuseEscapes(agentOf(id), args)).not.toThrow();
    expect(args).toContain(PROMPT);
  },
);

test.each([
  ['claude', ['--bare']],
  ['claude', ['--settings', '/tmp/x.json']],
  ['claude', ['--settings={"disableAllHooks":true}']],
  ['codex', ['-c', 'features.hooks=false']],
  ['codex', ['--disable', 'hooks']],
  ['codex', ['-p', 'other']],
  ['copilot', ['--config-dir', '/tmp/x']],
  ['droid', ['--settings', '/tmp/x.json']],
  ['gemini', ['-e', 'none']],
  ['opencode', ['--pure']],
  ['pi', ['--no-extensions']],
  ['qwen', ['--safe-mode']],
])('%s with %j is refused', async (id, given) => {
  const client = await CLIENTS[id]?.();
  const args = withGiven(client?.turn(PROMPT, {}) ?? [], PROMPT, given);
  expect(() => refuseEscapes(agentOf(id), args)).toThrow('could bypass Hookline');
});

test.each(['', '  ', '--bare', ' -p', '-'])('the prompt %j is refused', (prompt) => {
  expect(() => checkedPrompt(prompt)).toThrow('prompt');
});

test('an option that is given takes the place of ours, with its value; the prompt stays', () => {
  const turn = ['run', '-p', PROMPT, '--mode', 'default', '--json', '--quiet'];
  expect(withGiven(turn, PROMPT, ['--mode=plan', '--json'])).toEqual([
    'run',
    '-p',
    PROMPT,
    '--quiet',
    '--mode=plan',
    '--json',
  ]);
  expect(withGiven(['exec', '--check', PROMPT], PROMPT, ['--check'])).toEqual(['exec', PROMPT, '--check']);
  expect(withGiven(turn, PROMPT, [])).toEqual(turn);
});

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['24d', 24 * 86_400_000],
])('--timeout %s', (given, ms) => {
  expect(timeoutOf(given)).toBe(ms);
});

test.each(['10', '0s', '25d', '600h', 'soon'])(
  '--timeout %s is refused: it would end the run at once',
  (given) => {
    expect(() => timeoutOf(given)).toThrow(`not "${given}"`);
  },
);

describe.each([...AGENTS.values()].filter(({ escapes }) => escapes.variables.length > 0))(
  'variables of $id',
  (agent) => {
    const refusal = (env: SetupContext['env']) => {
      const folder = scratchFolder();
      const context = {
        env,
        home: folder,
        cwd: folder,
        scope: 'user',
        forwarder: '/f',
        failClosed: false,
      } as const;
      try {
        refuseVariables(agent, context);
        return null;
      } catch (error) {
        return messageOf(error);
      }
    };

    test.each(agent.escapes.variables)('%s is refused, or leads to settings that are looked at', (name) => {
      const files = (env: SetupContext['env']) => {
        const home = '/nowhere';
        const context = { env, home, cwd: home, scope: 'user', forwarder: '/f', failClosed: false } as const;
        return agent.setup.plan(context).map(({ path }) => path);
      };
      const isFollowed = files({ [name]: '/nowhere/x' }).some((path) => path.startsWith('/nowhere/x'));
      expect(refusal({ [name]: '/tmp/other' })).toEqual(isFollowed ? null : expect.stringContaining(name));
      expect(refusal({ [name]: '1' })).toEqual(isFollowed ? null : expect.stringContaining(name));
      for (const harmless of ['', '0', 'false', '60000', '{"provider":{"url":"http://127.0.0.1"}}'])
        expect(refusal({ [name]: harmless })).toBeNull();
    });
  },
);
