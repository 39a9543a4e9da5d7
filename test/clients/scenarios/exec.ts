import { createServer, request, type Server } from 'node:http';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect } from 'vitest';
import { playScene, type Scene } from '../../../src/live/scene.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import { processesOf } from '../../../src/sandbox/processes.ts';
import { expectNoCalls, onlyPacks, programOf, testWith } from '../scene.ts';

// The same task comes to the same lines and exit codes, whichever client works on it.

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

const EventLine = v.looseObject({
  type: v.literal('event'),
  event: v.looseObject({
    type: v.string(),
    source: v.string(),
    sessionId: v.string(),
    toolNumber: v.number(),
  }),
});
const ResultLine = v.looseObject({
  type: v.literal('result'),
  outcome: v.string(),
  exitCode: v.number(),
  message: v.nullable(v.string()),
  lastMessage: v.nullable(v.string()),
  sessionId: v.nullable(v.string()),
  usage: v.nullable(v.looseObject({ input: v.number(), output: v.number() })),
  denied: v.array(
    v.looseObject({ tool: v.string(), reason: v.nullable(v.string()), rules: v.array(v.string()) }),
  ),
});
const Line = v.variant('type', [EventLine, ResultLine]);

const RULES = 'rules: [{id: no-chmod, command: chmod, deny: not that}]';
const NO_PROMPTS = 'rules: [{id: no-prompts, on: turn_start, deny: not today}]';
const GATE = 'rules: [{id: gate, on: turn_end, deny: run the tests}]';

/** What all of them send of a turn with two calls, of which the second is denied. */
const TURN = ['session_start', 'before_agent', 'before_tool 1', 'after_tool 1', 'before_tool 2', 'end'];

/** How the model behaves: as the script says, with errors, or not at all. */
type Mood = 'scripted' | 'broken' | 'silent';

/** `hookline exec` with this client. */
export function runsHeadless(plain: Client): void {
  testWith(plain)('one task with the same lines and exit codes', { timeout: 240_000 }, async () => {
    const { client, feel } = moody(plain);
    const program = programOf(client) ?? '';
    const shell = (command: string) => [client.shell(command)];
    const script = [shell('touch made'), shell('chmod 600 made'), 'All done.', 'Still done.'];
    await playScene(client, program, { script, rules: RULES, config: onlyPacks() }, async (scene) => {
      const { hookline, sandbox } = scene;
      const exec = (...args: readonly string[]) => execIn(scene, client, program, args);

      const done = await exec('Make it.');
      expect(done.result).toMatchObject({
        outcome: 'done',
        exitCode: 0,
        lastMessage: 'All done.',
        message: null,
      });
      expect(done.result.denied).toMatchObject([{ tool: 'Bash', reason: 'not that.', rules: ['no-chmod'] }]);
      expect(done.result.usage?.output).toBeGreaterThan(0);
      expect(done.turn).toEqual(TURN.filter((type) => !(client.promptUnseen && type === 'before_agent')));

      await hookline.writeRules(NO_PROMPTS);
      const blocked = await exec('Make it.');
      expect(blocked.result).toMatchObject(
        client.promptUnseen
          ? { outcome: 'done', exitCode: 0 }
          : { outcome: 'denied', exitCode: 3, message: 'The prompt was denied: not today.' },
      );

      await hookline.writeRules(GATE);
      const gated = await exec('Make it.');
      expect(gated.result).toMatchObject({ outcome: 'gated', exitCode: 4 });
      expect(gated.result.message).toContain('run the tests.');

      feel('broken');
      expect((await exec('Make it.')).result).toMatchObject({ outcome: 'failed', exitCode: 6 });

      feel('silent');
      const late = await exec('Make it.', '--timeout', '3s');
      expect(late.result).toMatchObject({ outcome: 'timeout', exitCode: 5 });
      const daemon = await hookline.daemonPid();
      expect(processesOf(dirname(sandbox.home)).filter((pid) => pid !== daemon)).toEqual([]);
      expectNoCalls(sandbox, [client]);
    });
  });
}

/** `hookline exec` with a client that talks to the model of the scene. */
async function execIn(
  { sandbox, model }: Scene,
  client: Client,
  program: string,
  [prompt = '', ...options]: readonly string[],
) {
  const { env, args = [] } = client.scripted(model);
  const PATH = [dirname(program), process.env.PATH ?? ''].join(delimiter);
  const words = ['exec', client.id, prompt, '--json', ...options, '--', ...client.trusting, ...args];
  const ended = await sandbox.run(process.execPath, [BIN, ...words], {
    env: { ...env, PATH },
    deadlineMs: 120_000,
  });
  const lines = ended.stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [v.parse(Line, JSON.parse(line))]));
  const result = lines.at(-1);
  if (result?.type !== 'result') throw new Error(`no result: ${describeFinished(ended)}`);
  expect(ended.code, describeFinished(ended)).toBe(result.exitCode);
  const events = lines.flatMap((line) => (line.type === 'event' ? [line.event] : []));
  const own = events.filter(({ sessionId }) => sessionId === result.sessionId);
  expect(own.every(({ source }) => source === client.id)).toBe(true);
  return { result, turn: turnIn(own, client) };
}

/** What of the events every client should send, in the order in which it should. */
function turnIn(
  events: readonly v.InferOutput<typeof EventLine>['event'][],
  client: Client,
): readonly string[] {
  const turn = events.flatMap(({ type, toolNumber }) => {
    if (type === 'stop' || type === 'after_agent') return ['end'];
    // Some also tell what became of a call that was denied.
    if (/^(?:before|after)_tool$/.test(type)) return [`${type} ${toolNumber}`];
    return [type];
  });
  const known = turn.filter((type) => TURN.includes(type));
  const [first, second, ...rest] = known;
  // A session that begins with its first prompt may say so after it.
  const isTurned = client.startsTogether && first === 'before_agent' && second === 'session_start';
  return isTurned ? [second, first, ...rest] : known;
}

/** A client whose model can be made to fail. */
function moody(client: Client): { readonly client: Client; feel(mood: Mood): void } {
  let mood: Mood = 'scripted';
  const startModel: Client['startModel'] = async (script) => {
    const model = await client.startModel(script);
    const front = frontOf(model.url, () => mood);
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const address = front.address();
    const port = typeof address === 'object' ? address?.port : null;
    return {
      ...model,
      url: `http://127.0.0.1:${port}`,
      close: async () => {
        front.closeAllConnections();
        await new Promise((resolve) => front.close(resolve));
        await model.close();
      },
    };
  };
  return {
    client: { ...client, startModel },
    feel: (next) => {
      mood = next;
    },
  };
}

/** Not one of the errors after which clients try again and again. */
const BROKEN = { error: { message: 'broken', type: 'invalid_request_error', code: 400 } };

function frontOf(url: string, mood: () => Mood): Server {
  return createServer((asked, answer) => {
    if (mood() === 'silent') return;
    if (mood() === 'broken') {
      answer.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(BROKEN));
      return;
    }
    const { method, headers } = asked;
    const onward = request(`${url}${asked.url}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
}
