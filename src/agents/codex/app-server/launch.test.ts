import { expect, test } from 'vitest';
import { PASSTHROUGH } from '../../../model/native.ts';
import type { BridgeHost } from '../../agent.ts';
import { bridge } from './launch.ts';

function host(env: Readonly<Record<string, string>>): BridgeHost {
  return {
    env,
    cwd: '/',
    version: '0.0.0',
    signal: new AbortController().signal,
    call: async () => PASSTHROUGH,
    newId: () => 'one',
    print: () => {},
    say: () => {},
  };
}

test.each([[[]], [['exec', 'go on']], [['login']]])(
  '%j without codex explains how to install it',
  async (args) => {
    await expect(bridge.run(args, host({ PATH: '/nowhere' }))).rejects.toMatchObject({
      code: 'AGENT_MISSING',
      hint: expect.stringContaining('npm install'),
    });
  },
);

test('reports a missing token before it joins anything', async () => {
  const joining = (...args: string[]) => bridge.run(['join', 'ws://127.0.0.1:1', ...args], host({}));
  await expect(joining('--token-env', 'NOT_SET')).rejects.toThrow('NOT_SET is not set');
  await expect(joining('--token-file', '/nowhere/token')).rejects.toThrow('/nowhere/token');
});
