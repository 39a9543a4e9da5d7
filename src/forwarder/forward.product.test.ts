import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildScratchDist,
  builtNative,
  type FakeDaemon,
  fakeDaemonOf,
  fallbackNotes,
  hangFallback,
  type Ran,
  runForwarder,
  setFallbackAnswer,
} from '../../test/support/forwarder.ts';
import { removeWhenEmpty, scratchFolder } from '../../test/support/scratch.ts';
import { until } from '../../test/support/until.ts';
import { VERSION } from '../version.ts';
import { parseRequest } from '../wire/protocol.ts';
import { socketPath } from '../wire/socket-path.ts';
import { installForwarder } from './install.ts';
import type { ForwarderKind } from './native-program.ts';

const scratch = scratchFolder();
const dists = { native: join(scratch, 'native-dist'), node: join(scratch, 'node-dist') };
const hasNative = existsSync(builtNative);
const BLOCK = { action: 'block_with_stderr', stderr: 'by the fallback' } as const;
const PAYLOAD = Buffer.from('{"session_id":"s","n":1.50}');
const NOT_CHECKED = /^hookline: this call was not checked: [^\n]+; run `hookline doctor`\n$/;

if (!hasNative) console.warn('SKIPPED: the native forwarder is not built, so half of these tests do not run');

beforeAll(async () => {
  // As in a package, one directory up.
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ version: VERSION }));
  await buildScratchDist(dists.node);
  cpSync(dists.node, dists.native, { recursive: true });
  mkdirSync(join(dists.native, 'bin'));
  if (hasNative) cpSync(builtNative, join(dists.native, 'bin', 'hookline-forward'));
});

const answerLine = (id: string, payload: unknown) =>
  `${JSON.stringify({ request_id: id, ts: 1, payload })}\n`;

function install(kind: ForwarderKind, folder = ''): { home: string; program: string } {
  const home = join(scratchFolder(), folder);
  const envAllowList = ['SENT', 'UNSET'];
  const installed = installForwarder(home, {
    distDir: dists[kind],
    version: VERSION,
    nodePath: process.execPath,
    envAllowList,
    failure: 'open',
  });
  expect(installed.kind).toBe(kind);
  return { home, program: installed.path };
}

describe.each(['native', 'node'] as const)('the %s forwarder', (kind) => {
  describe.skipIf(kind === 'native' && !hasNative)('runs', () => {
    let home: string;
    let program: string;
    let daemon: FakeDaemon | null = null;

    beforeEach(() => {
      ({ home, program } = install(kind));
    });
    afterEach(async () => {
      await daemon?.close();
      daemon = null;
    });

    test('reports its kind and version', async () => {
      const said = `hookline-forward ${VERSION}${kind === 'node' ? ' (JavaScript)' : ''}\n`;
      const ran = await runForwarder(program, ['--version'], PAYLOAD);
      expect(ran).toMatchObject({ code: 0, stdout: said, stderr: '' });
      expect(fallbackNotes(home)).toEqual([]);
    });

    async function serve(onLine: (id: string, socket: Socket) => void): Promise<FakeDaemon> {
      daemon = await fakeDaemonOf(home, onLine);
      return daemon;
    }
    const forward = (stdin: Uint8Array = PAYLOAD, env = {}): Promise<Ran> =>
      runForwarder(program, ['an-agent', 'AnEvent'], stdin, env);

    test.each([
      ['passthrough', { action: 'passthrough' }, { code: 0, stdout: '', stderr: '' }],
      [
        'json_output',
        { action: 'json_output', stdout_json: { a: { b: ['é', '\n', 1.5] }, 10: null } },
        { code: 0, stdout: '{"10":null,"a":{"b":["é","\\n",1.5]}}\n', stderr: '' },
      ],
      [
        'block_with_stderr',
        { action: 'block_with_stderr', stderr: 'no "é"\n\tnever' },
        { code: 2, stdout: '', stderr: 'no "é"\n\tnever' },
      ],
    ])('%s', async (_, payload, expected) => {
      await serve((id, socket) => socket.write(answerLine(id, payload)));
      expect(await forward()).toEqual({ ...expected, signal: null });
      expect(fallbackNotes(home)).toEqual([]);
    });

    test('confirms an answer only if the daemon asks for it', async () => {
      let requestId = '';
      const { lines } = await serve((id, socket) => {
        requestId = id;
        if (lines.length === 1) socket.write(`${answerLine(id, BLOCK).slice(0, -2)},"confirm":true}\n`);
      });
      expect(await forward()).toMatchObject({ code: 2, stderr: BLOCK.stderr });
      await until(() => lines.length === 2);
      expect(JSON.parse(lines[1] ?? '')).toEqual({ request_id: requestId, got: true });
      await daemon?.close();
      const plain = await serve((id, socket) => socket.write(answerLine(id, BLOCK)));
      await forward();
      expect(plain.lines).toHaveLength(1);
    });

    test('sends the unchanged payload, the event, and only the listed variables', async () => {
      const { lines } = await serve((id, socket) => socket.write(answerLine(id, { action: 'passthrough' })));
      const before = Date.now();
      await forward(PAYLOAD, { SENT: 'a "b"\n', OTHER: 'secret' });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(`"payload":${PAYLOAD}}`);
      const parsed = parseRequest(lines[0] ?? '');
      expect(parsed).toMatchObject({
        ok: true,
        request: {
          call: { agent: 'an-agent', event: 'AnEvent', env: { SENT: 'a "b"\n' }, payload: { n: 1.5 } },
          problem: null,
        },
      });
      const { id, receivedAt, env } = (parsed.ok && parsed.request.call) || expect.fail('no request');
      expect(Object.keys(env)).toEqual(['SENT']);
      expect(id).toMatch(/^\d{13}-[0-9a-f]{16}$/);
      expect(id.startsWith(`${receivedAt}-`)).toBe(true);
      expect(receivedAt).toBeGreaterThanOrEqual(before);
    });

    test('the event is optional', async () => {
      const { lines } = await serve((id, socket) => socket.write(answerLine(id, { action: 'passthrough' })));
      expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject({ code: 0 });
      expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('event');
    });

    test('reads a long answer in many pieces', async () => {
      const text = 'x'.repeat(3 << 20);
      await serve((id, socket) => {
        const line = answerLine(id, { action: 'json_output', stdout_json: { text } });
        const send = (at: number) => {
          if (at < line.length) socket.write(line.slice(at, at + 50_001), () => send(at + 50_001));
        };
        send(0);
      });
      const ran = await forward();
      expect(ran.code).toBe(0);
      expect(JSON.parse(ran.stdout)).toEqual({ text });
    });

    const failures: [string, (id: string, socket: Socket) => void][] = [
      [
        'an error reply',
        (id, s) =>
          s.write(`${JSON.stringify({ request_id: id, ts: 1, error: { code: 'X', message: 'y' } })}\n`),
      ],
      ['an error reply without an id', (_, s) => s.write('{"request_id":null,"error":{}}\n')],
      ['a line that is not JSON', (_, s) => s.write('garbage\n')],
      ['an empty line', (_, s) => s.write('\n')],
      [
        'bytes that are not text',
        (id, s) => s.write(Buffer.from(`{"request_id":"${id}","x":"\xff"}\n`, 'latin1')),
      ],
      ['an unknown action', (id, s) => s.write(answerLine(id, { action: 'allow' }))],
      ['a block without a text', (id, s) => s.write(answerLine(id, { action: 'block_with_stderr' }))],
      [
        'JSON that is not an object',
        (id, s) => s.write(answerLine(id, { action: 'json_output', stdout_json: [] })),
      ],
      ['no payload', (id, s) => s.write(`${JSON.stringify({ request_id: id })}\n`)],
      ['a hold that is over', (id, s) => s.write(`${JSON.stringify({ request_id: id, hold_ms: 1 })}\n`)],
      [
        'a hold for ever, backwards',
        (id, s) => s.write(`${JSON.stringify({ request_id: id, hold_ms: -1 })}\n`),
      ],
      ['a hang-up', (_, s) => s.end()],
      ['a hang-up in the middle', (id, s) => s.end(answerLine(id, { action: 'passthrough' }).slice(0, -9))],
      ['a daemon that dies', (_, s) => s.destroy()],
    ];
    test.each(failures)('%s → the fallback decides, under the same ID', async (_, onLine) => {
      setFallbackAnswer(home, BLOCK);
      let requestId = '';
      await serve((id, socket) => {
        requestId = id;
        onLine(id, socket);
      });
      const ran = await forward(PAYLOAD, {
        SENT: '1',
        HOOKLINE_REQUEST_ID: 'forged',
        HOOKLINE_HOME: '/forged',
      });
      expect(ran).toEqual({ code: 2, stdout: '', stderr: 'by the fallback', signal: null });
      expect(fallbackNotes(home)).toEqual([
        {
          requestId,
          home,
          agent: 'an-agent',
          event: 'AnEvent',
          env: { SENT: '1' },
          ts: expect.any(Number),
          stdin: { length: PAYLOAD.length, head: PAYLOAD.toString() },
        },
      ]);
    });

    describe('without a daemon', () => {
      test.each([
        [{ action: 'passthrough' }, { code: 0, stdout: '', stderr: '' }],
        [
          { action: 'json_output', stdout_json: { a: 1 } },
          { code: 0, stdout: '{"a":1}\n', stderr: '' },
        ],
        [BLOCK, { code: 2, stdout: '', stderr: BLOCK.stderr }],
      ] as const)('the fallback answers %j', async (answer, expected) => {
        setFallbackAnswer(home, answer);
        expect(await forward()).toEqual({ ...expected, signal: null });
        expect(fallbackNotes(home)[0]?.requestId).toMatch(/^\d{13}-[0-9a-f]{16}$/);
      });

      test('a socket file without a listener', async () => {
        setFallbackAnswer(home, BLOCK);
        mkdirSync(join(home, 'run'));
        writeFileSync(join(home, 'run', 'hookline.sock'), '');
        expect(await forward()).toMatchObject({ code: 2, stderr: BLOCK.stderr });
      });

      test('a failing fallback gives one line and exit code 1', async () => {
        const ran = await forward();
        expect(ran).toMatchObject({ code: 1, stdout: '' });
        expect(ran.stderr).toMatch(NOT_CHECKED);
        expect(ran.stderr).toContain('no answer at all');
      });

      test('ignores NODE_OPTIONS of a repository', async () => {
        setFallbackAnswer(home, { action: 'passthrough' });
        expect(await forward(PAYLOAD, { NODE_OPTIONS: '--require /no/such/file' })).toMatchObject({
          code: 0,
        });
      });
    });

    const x50MB = Buffer.alloc(50_000_000, 'x');
    const bad: [string, Buffer, string, unknown][] = [
      ['nothing', Buffer.alloc(0), 'empty', ''],
      ['no JSON', Buffer.from('half {'), 'not-json', 'half {'],
      ['half JSON', Buffer.from('{"a":{"b":1},"c":[1,'), 'not-json', { a: { b: 1 }, c: [] }],
      ['invalid UTF-8', Buffer.from('{"a":"\xff"}', 'latin1'), 'not-utf8', { a: '\ufffd' }],
      [
        'deep nesting',
        Buffer.from(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
        'too-deep',
        { a: [] },
      ],
      ['50 MB', x50MB, 'too-large', 'x'.repeat(64 << 10)],
      ['70 MB', Buffer.alloc(70_000_000, 'x'), 'too-large', 'x'.repeat(64 << 10)],
      [
        '50 MB in one field',
        Buffer.concat([Buffer.from('{"a":{"b":"'), x50MB, Buffer.from('"},"c":1}')]),
        'too-large',
        { a: { b: 'x'.repeat(8 << 10) }, c: 1 },
      ],
    ];
    test.each(bad)('describes %s on stdin to the daemon', async (_, stdin, problem, payload) => {
      const { lines } = await serve((id, socket) => socket.write(answerLine(id, { action: 'passthrough' })));
      expect(await forward(stdin)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      const { bytes, ...sent } = JSON.parse(lines[0] ?? '');
      expect(sent).toMatchObject({ problem });
      expect(sent.payload).toEqual(payload);
      expect(bytes).toBe(stdin.length);
    });
    test.each(bad)('passes %s on stdin to the fallback', async (_, stdin) => {
      setFallbackAnswer(home, { action: 'passthrough' });
      expect(await forward(stdin)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      expect(fallbackNotes(home)[0]?.stdin.length).toBe(Math.min(stdin.length, 64 << 20));
    });

    test('sends JSON over several lines as one', async () => {
      const { lines } = await serve((id, socket) => socket.write(answerLine(id, { action: 'passthrough' })));
      await forward(Buffer.from('{\r\n  "a": "x\\ny",\n  "b": 2\n}\n'));
      expect(lines[0]).toContain('"payload":{    "a": "x\\ny",   "b": 2 } }');
    });

    test('sends 15 MB of valid JSON completely', async () => {
      const { lines } = await serve((id, socket) => socket.write(answerLine(id, { action: 'passthrough' })));
      const text = 'y'.repeat(15_000_000);
      expect(await forward(Buffer.from(JSON.stringify({ text })))).toMatchObject({ code: 0 });
      expect(JSON.parse(lines[0] ?? '').payload.text === text).toBe(true);
    });

    test('shows its usage if called without an agent', async () => {
      const ran = await runForwarder(program, [], PAYLOAD);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(/^usage: /);
    });

    test('serves a home with a long path from a private directory', async () => {
      ({ home, program } = install(kind, 'x'.repeat(100)));
      removeWhenEmpty(dirname(socketPath(home)));
      expect(socketPath(home)).toMatch(/^\/tmp\/hookline-\d+\/[0-9a-f]{16}\.sock$/);
      await serve((id, socket) => socket.write(answerLine(id, BLOCK)));
      expect(await forward()).toMatchObject({ code: 2, stderr: BLOCK.stderr });
    });
  });
});

// Each takes longer than the 5 s that a daemon has for its answer, so they run in parallel.
describe.concurrent.each(['native', 'node'] as const)('timeouts of the %s forwarder', (kind) => {
  const isMissing = kind === 'native' && !hasNative;

  test.skipIf(isMissing)('gives up on a silent daemon', async ({ expect }) => {
    const { home, program } = install(kind);
    setFallbackAnswer(home, BLOCK);
    const daemon = await fakeDaemonOf(home, () => {});
    expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject({
      code: 2,
      stderr: BLOCK.stderr,
    });
    await daemon.close();
  });

  test.skipIf(isMissing)('a hold extends it', async ({ expect }) => {
    const { home, program } = install(kind);
    const daemon = await fakeDaemonOf(home, (id, socket) => {
      socket.write(answerLine('another-call', BLOCK));
      socket.write(`${JSON.stringify({ request_id: id, hold_ms: 600_000 })}\n${answerLine('x', BLOCK)}`);
      // Later than without a hold. A built program has fixed limits, so the time really passes.
      setTimeout(() => socket.write(answerLine(id, { action: 'json_output', stdout_json: {} })), 5_500);
    });
    expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject({ code: 0, stdout: '{}\n' });
    expect(fallbackNotes(home)).toEqual([]);
    await daemon.close();
  });

  const holdLine = (id: string, ms: number) => `${JSON.stringify({ request_id: id, hold_ms: ms })}\n`;
  const DENIAL = { action: 'block_with_stderr', stderr: 'by a person' } as const;
  const DENIED = { code: 2, stderr: DENIAL.stderr };

  test.skipIf(isMissing)(
    'continues to wait while the fallback evaluates the call too',
    async ({ expect }) => {
      const { home, program } = install(kind);
      hangFallback(home);
      const daemon = await fakeDaemonOf(home, (id, socket) => {
        // Silent for longer than the limit for a first line.
        setTimeout(() => socket.write(holdLine(id, 600_000)), 6_000);
        setTimeout(() => socket.write(answerLine(id, DENIAL)), 6_500);
      });
      expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject(DENIED);
      expect(daemon.lines).toHaveLength(1);
      await daemon.close();
    },
  );

  test.skipIf(isMissing)('asks again after the fallback has failed', async ({ expect }) => {
    const { home, program } = install(kind);
    const daemon = await fakeDaemonOf(home, (id, socket) => {
      if (daemon.lines.length > 1) socket.write(answerLine(id, DENIAL));
    });
    expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject(DENIED);
    const [first, second] = daemon.lines.map((line): { request_id: string; ts: number } => JSON.parse(line));
    expect(second?.request_id).toBe(first?.request_id);
    expect(second?.ts).toBeGreaterThan(first?.ts ?? 0);
    await daemon.close();
  });

  test.skipIf(isMissing)('after the time of a hold, the answer may still come', async ({ expect }) => {
    const { home, program } = install(kind);
    hangFallback(home);
    const daemon = await fakeDaemonOf(home, (id, socket) => {
      socket.write(holdLine(id, 100));
      setTimeout(() => socket.write(answerLine(id, DENIAL)), 2_000);
    });
    expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject(DENIED);
    expect(daemon.lines).toHaveLength(1);
    await daemon.close();
  });

  test.skipIf(isMissing)('asks again after a broken connection, before the fallback', async ({ expect }) => {
    for (const before of ['', 'held'] as const) {
      const { home, program } = install(kind);
      const daemon = await fakeDaemonOf(home, (id, socket) => {
        if (daemon.lines.length > 1) socket.write(answerLine(id, DENIAL));
        else if (before === 'held') socket.write(holdLine(id, 600_000), () => socket.destroy());
        else socket.destroy();
      });
      expect(await runForwarder(program, ['an-agent'], PAYLOAD)).toMatchObject(DENIED);
      expect(fallbackNotes(home)).toEqual([]);
      await daemon.close();
    }
  });
});

describe.skipIf(!hasNative)('the native forwarder without a working fallback', () => {
  test.each([
    ['no settings', null],
    ['broken settings', '{'],
    ['no such Node', JSON.stringify({ node: '/no/such/node', script: process.execPath, env: [] })],
    ['no such script', JSON.stringify({ node: process.execPath, script: '/no/such/script.js', env: [] })],
  ])('%s: one line, exit code 1', async (_, settings) => {
    const home = scratchFolder();
    mkdirSync(join(home, 'bin'));
    const program = join(home, 'bin', 'hookline-forward');
    cpSync(builtNative, program);
    if (settings !== null) writeFileSync(join(home, 'bin', 'forwarder.json'), settings);
    const ran = await runForwarder(program, ['an-agent'], PAYLOAD, { HOOKLINE_HOME: home });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(NOT_CHECKED);
  });

  test.each([
    ['process.exit(3)', 1],
    ['process.kill(process.pid, "SIGKILL")', 1],
    ['throw new Error("x")', 1],
    ['process.exit(2)', 2],
    ['process.exit(0)', 0],
  ])('a script that does %s', async (code, expected) => {
    const home = scratchFolder();
    mkdirSync(join(home, 'bin'));
    const program = join(home, 'bin', 'hookline-forward');
    cpSync(builtNative, program);
    const script = join(home, 'script.cjs');
    writeFileSync(script, code);
    const settings = { node: process.execPath, script, env: [] };
    writeFileSync(join(home, 'bin', 'forwarder.json'), JSON.stringify(settings));
    // More than a pipe holds, because the script doesn't read it.
    const ran = await runForwarder(program, ['an-agent'], Buffer.alloc(1 << 20, ' '));
    expect(ran.code).toBe(expected);
  });

  test("a forwarder that isn't installed uses HOOKLINE_HOME", async () => {
    const home = scratchFolder();
    const daemon = await fakeDaemonOf(home, (id, socket) =>
      socket.write(`${JSON.stringify({ request_id: id, ts: 1, payload: BLOCK })}\n`),
    );
    expect(await runForwarder(builtNative, ['an-agent'], PAYLOAD, { HOOKLINE_HOME: home })).toMatchObject({
      code: 2,
    });
    await daemon.close();
  });
});
