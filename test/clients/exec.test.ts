import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { playScene } from '../../src/live/scene.ts';
import type { Client } from '../../src/sandbox/client.ts';
import { processesOf } from '../../src/sandbox/processes.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { installedClients } from './all.ts';
import { expectNoCalls, programOf } from './scene.ts';

vi.setConfig({ testTimeout: 300_000 });

const BIN = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url));

const Line = v.variant('type', [
  v.looseObject({ type: v.literal('event'), event: v.looseObject({ type: v.string(), source: v.string() }) }),
  v.looseObject({
    type: v.literal('result'),
    outcome: v.string(),
    exitCode: v.number(),
    lastMessage: v.nullable(v.string()),
    message: v.nullable(v.string()),
    sessionId: v.nullable(v.string()),
    usage: v.nullable(v.looseObject({ input: v.number(), output: v.number() })),
    denied: v.array(v.looseObject({ tool: v.string(), rules: v.array(v.string()) })),
    agentExitCode: v.nullable(v.number()),
  }),
]);

/** How the model behaves: as the script says, not at all, or with errors. */
type Mood = 'scripted' | 'silent' | 'broken';

/** A client whose model can be made to fail. */
function moody(client: Client): { readonly client: Client; setMood(mood: Mood): void } {
  let mood: Mood = 'scripted';
  return {
    setMood: (next) => {
      mood = next;
    },
    client: {
      ...client,
      async startModel(script) {
        const model = await client.startModel(script);
        const front = createServer((asked, answer) => {
          if (mood === 'silent') return;
          if (mood === 'broken') return void answer.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"broken","type":"invalid_request_error","code":400}}');
          const { method, headers, url } = asked;
          const on = request(`${model.url}${url}`, { method, headers }, (given) => {
            answer.writeHead(given.statusCode ?? 500, given.headers);
            given.pipe(answer);
          });
          on.on('error', () => answer.destroy());
          asked.pipe(on);
        });
        await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
        const { port } = front.address() as AddressInfo;
        const close = async () => {
          front.closeAllConnections();
          await new Promise((resolve) => front.close(resolve));
          await model.close();
        };
        return { ...model, url: `http://127.0.0.1:${port}`, close };
      },
    },
  };
}

const clients = await installedClients();

describe.each(clients.map((client) => [client.id, client] as const))('%s', (_id, plain) => {
  test('one prompt, the same lines and exit codes', async () => {
    const { client, setMood } = moody(plain);
    const program = programOf(client) ?? '';
    const script = [[client.shell('touch made')], 'All done.', 'Still done.', 'Done, really.'];
    await playScene(client, program, { script }, async ({ sandbox, hookline, model }) => {
      const exec = async (prompt: string, options: readonly string[] = []) => {
        const { env, args = [] } = client.scripted(model);
        const PATH = [dirname(program), process.env.PATH ?? ''].join(delimiter);
        const behind = ['--', ...client.trusting, ...args];
        const began = Date.now();
        const ended = await sandbox.run(
          process.execPath,
          [BIN, 'exec', client.id, prompt, '--json', ...options, ...behind],
          { env: { ...env, PATH }, deadlineMs: 120_000 },
        );
        console.log(client.id, prompt, ended.code, Date.now() - began, ended.stdout.slice(-1500), ended.stderr.slice(-500));
        const lines = ended.stdout.split('\n').filter(Boolean).map((line) => v.parse(Line, JSON.parse(line)));
        const result = lines.findLast((line) => line.type === 'result');
        const types = lines.flatMap((line) => (line.type === 'event' ? [line.event.type] : []));
        return { code: ended.code, result, types };
      };
      const done = await exec('Make it.');
      console.log(done.types);
      await hookline.writeRules('rules: [{id: no-touch, command: touch, deny: not that}]');
      await exec('Make it again.');
      await hookline.writeRules('rules: [{id: no-prompt, on: turn_start, deny: not today}]');
      await exec('Make it once more.');
      await hookline.writeRules('rules: [{id: gate, on: turn_end, deny: run the tests}]');
      console.log((await exec('Finish it.')).types);
      await hookline.writeRules('rules: []');
      setMood('broken');
      await exec('Break it.');
      setMood('silent');
      await exec('Wait for it.', ['--timeout', '5s']);
      console.log('left', processesOf(dirname(sandbox.home)).length);
    });
  });
});
