import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, inject } from 'vitest';
import { type Address, overWebSocket } from '../../../src/agents/codex/app-server/connect.ts';
import { connectPeer, type Peer, type ServerRequest } from '../../../src/agents/codex/app-server/peer.ts';
import codex, { settings } from '../../../src/agents/codex/client.ts';
import type { Scene } from '../../../src/live/scene.ts';
import { play, testWith } from '../scene.ts';
import { type Background, inBackground } from './background.ts';

const it = testWith(codex);
const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

/** The client of a person: starts a turn, and is shown every question. */
interface Person {
  readonly shown: readonly ServerRequest[];
  /** IDs of answered questions. */
  readonly resolved: readonly unknown[];
  answer: Peer['answer'];
  /** Says something; resolves with the status of the turn. */
  say(prompt: string): Promise<string>;
}

const threadStarted = v.looseObject({ thread: v.looseObject({ id: v.string() }) });
const turnCompleted = v.looseObject({ turn: v.looseObject({ status: v.string() }) });
const resolvedRequest = v.looseObject({ requestId: v.unknown() });

async function personAt(address: Address, project: string): Promise<Person> {
  const shown: ServerRequest[] = [];
  const resolved: unknown[] = [];
  let finish = (_status: string): void => {};
  const client = { name: 'person', title: 'Person', version: '1.0.0' };
  const peer = await connectPeer(overWebSocket(address), client, {
    request: (request) => void shown.push(request),
    notification: (method, params) => {
      if (method === 'serverRequest/resolved') resolved.push(v.parse(resolvedRequest, params).requestId);
      if (method === 'turn/completed') finish(v.parse(turnCompleted, params).turn.status);
    },
  });
  return {
    shown,
    resolved,
    answer: (id, result) => peer.answer(id, result),
    say: async (prompt) => {
      const finished = new Promise<string>((resolve) => {
        finish = resolve;
      });
      const started = await peer.ask('thread/start', { cwd: project, approvalPolicy: 'untrusted' });
      const threadId = v.parse(threadStarted, started).thread.id;
      const input = [{ type: 'text', text: prompt, text_elements: [] }];
      await peer.ask('turn/start', { threadId, input });
      const status = await finished;
      peer.close();
      return status;
    },
  };
}

type Transport = 'a WebSocket' | 'a Unix socket';

/** A server that listens, a person at it, and `hookline codex join` beside. */
async function together(
  transport: Transport,
  { sandbox, hookline, model }: Scene,
  act: (person: Person) => Promise<void>,
): Promise<void> {
  await hookline.run(['remove', 'codex', '--yes']);
  const program = inject('programs').codex ?? '';
  const config = settings(model.url).flatMap((setting) => ['-c', setting]);
  const started: Background[] = [];
  const start = async (line: readonly [string, ...string[]]) => {
    const one = await inBackground(sandbox, line, codex.scripted(model).env);
    started.unshift(one);
    return one;
  };
  const tokenFile = join(sandbox.home, 'token');
  const listen = async (): Promise<Address> => {
    if (transport === 'a Unix socket') {
      const url = `unix://${join(sandbox.home, 'app-server.sock')}`;
      await start([program, ...config, 'app-server', '--listen', url]);
      return { url, token: null };
    }
    const token = 'a-token-of-this-test';
    await writeFile(tokenFile, `${token}\n`);
    const auth = ['--ws-auth', 'capability-token', '--ws-token-file', tokenFile];
    const server = await start([program, ...config, 'app-server', '--listen', 'ws://127.0.0.1:0', ...auth]);
    return { url: await server.says(/listening on: (ws:\/\/\S+)/), token };
  };
  try {
    const address = await listen();
    const token = address.token === null ? [] : ['--token-file', tokenFile];
    const bridge = await start([process.execPath, BIN, 'codex', 'join', address.url, ...token]);
    await bridge.says(/: joined/);
    await act(await personAt(address, sandbox.project));
  } finally {
    for (const one of started) await one.stop();
  }
}

const rules = `
  rules:
    - { id: touch-is-fine, on: permission_request, command: touch, allow: true }
    - { id: no-removing, on: permission_request, command: rm, deny: Nothing is removed here. }
`;

describe.each<Transport>(['a WebSocket', 'a Unix socket'])('an approval of codex over %s', (transport) => {
  it('is accepted by a rule, and the turn is recorded', async () => {
    const script = [[codex.shell('touch made.txt')], 'Done.'];
    await play(codex, { rules, script }, async (scene) => {
      await together(transport, scene, async (person) => {
        expect(await person.say('Make a file.')).toBe('completed');
        expect(person.resolved).toEqual(person.shown.map(({ id }) => id));
      });
      expect(existsSync(join(scene.sandbox.project, 'made.txt'))).toBe(true);
      const types = (await scene.hookline.events()).map(({ type }) => type);
      expect(types).toEqual(
        expect.arrayContaining([
          'session_start',
          'before_agent',
          'before_tool',
          'permission_request',
          'after_tool',
        ]),
      );
      expect(types.filter((type) => type === 'before_tool' || type === 'before_agent')).toHaveLength(2);
    });
  });

  it('is declined by a rule, and the turn goes on', async () => {
    const script = [[codex.shell('rm -f keep.txt')], 'Then not.'];
    await play(codex, { rules, script }, async (scene) => {
      await together(transport, scene, async (person) => {
        expect(await person.say('Remove it.')).toBe('completed');
      });
      expect(scene.model.results(1)).toEqual([expect.stringContaining('rejected by user')]);
    });
  });

  it('is left to the user without a matching rule', async () => {
    const script = [[codex.shell('mkdir made')], 'Done.'];
    await play(codex, { rules, script }, async (scene) => {
      await together(transport, scene, async (person) => {
        const said = person.say('Make a folder.');
        const asked = async () =>
          (await scene.hookline.events()).filter(({ type }) => type === 'permission_request');
        await expect.poll(asked).toMatchObject([{ response: { decision: 'none' } }]);
        // Hookline has had its say, and the question is still open.
        expect(person.resolved).toEqual([]);
        expect(existsSync(join(scene.sandbox.project, 'made'))).toBe(false);
        for (const { id } of person.shown) person.answer(id, { decision: 'accept' });
        expect(await said).toBe('completed');
      });
      expect(existsSync(join(scene.sandbox.project, 'made'))).toBe(true);
    });
  });
});
