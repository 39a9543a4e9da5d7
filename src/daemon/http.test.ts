import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { listEvents } from '../store/read/queries.ts';
import type { Daemon } from './run-daemon.ts';

interface Asked {
  readonly status: number;
  readonly json: unknown;
}

/** Doesn't use fetch, which can't set the Host header. */
function ask(
  daemon: Pick<Daemon, 'info'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Uint8Array,
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    // Not as one URL, which would normalize the path.
    const { hostname, port } = new URL(daemon.info.http);
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, json: text.startsWith('{') ? JSON.parse(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const payload = (more: Record<string, unknown> = {}) => ({
  session_id: 's1',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'touch x' },
  tool_use_id: 't1',
  ...more,
});
const DENY_TOUCH = 'rules: [{id: no-touch, command: touch, deny: Do not touch.}]\n';
const DENIED = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('Do not touch.'),
  },
};

async function guarded(config?: string) {
  const paths = scratchHome(config);
  writeFileSync(join(paths.rules, 'a.yaml'), DENY_TOUCH);
  const daemon = await startDaemon(paths);
  return { daemon, bearer: { authorization: `Bearer ${daemon.token}` } };
}

describe('access', () => {
  test.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['a token of another scheme', { authorization: 'Basic x' }],
  ])('denies %s', async (_, headers) => {
    const { daemon } = await guarded();
    for (const path of [
      '/hooks/claude',
      '/api/status',
      '/api/shutdown',
      '/nothing',
      '/hooks/../api/status',
    ]) {
      expect(await ask(daemon, path, headers, '{}')).toMatchObject({ status: 401, json: { error: {} } });
    }
    expect(listEvents(daemon.home.db)).toEqual([]);
  });

  test('denies a foreign host name, with or without a token', async () => {
    const { daemon, bearer } = await guarded();
    const { port } = new URL(daemon.info.http);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1.evil:${port}`]) {
      expect(await ask(daemon, '/api/status', { ...bearer, host })).toMatchObject({ status: 403 });
    }
    expect(await ask(daemon, '/api/status', { ...bearer, host: `localhost:${port}` })).toMatchObject({
      status: 200,
      json: { daemon: { pid: process.pid }, events: 0, rules: expect.any(Number), ruleProblems: [] },
    });
  });

  test('admits hooks without a token if the setting allows it, and nothing else', async () => {
    const { daemon } = await guarded('http: {port: 0, hooksWithoutToken: true}\n');
    const body = JSON.stringify(payload());
    expect(await ask(daemon, '/hooks/claude', {}, body)).toEqual({ status: 200, json: DENIED });
    expect(await ask(daemon, '/api/hooks/execute', {}, body)).toMatchObject({ status: 200, json: DENIED });
    for (const path of [
      '/api/status',
      '/api/shutdown',
      '/api/hooks/claude',
      '/api/hooks/execute/../../status',
      '/hooks/../api/status',
      '/hooks/%2e%2e/api/status',
    ]) {
      expect((await ask(daemon, path, {}, '{}')).status).not.toBe(200);
    }
    // A page in a browser can send such a request to any port, but not without its origin.
    expect(await ask(daemon, '/hooks/claude', { origin: 'http://evil.example' }, body)).toMatchObject({
      status: 401,
    });
    expect(await ask(daemon, '/hooks/claude', { host: 'evil.example' }, body)).toMatchObject({ status: 403 });
  });
});

describe('a hook over HTTP', () => {
  test.each([
    ['as the agent sends it', payload()],
    [
      'in a wrapper, kebab-case',
      { hook_type: 'pre-tool-use', input_data: payload({ hook_event_name: undefined }) },
    ],
    ['in a wrapper, Pascal-case', { hook_type: 'PreToolUse', input_data: payload(), source: 'claude' }],
  ])('is evaluated %s', async (_, body) => {
    const { daemon, bearer } = await guarded();
    expect(await ask(daemon, '/hooks/claude', bearer, JSON.stringify(body))).toEqual({
      status: 200,
      json: DENIED,
    });
    expect(listEvents(daemon.home.db)).toMatchObject([{ type: 'before_tool', rules: ['no-touch'] }]);
  });

  test('gets an empty object if there is no decision', async () => {
    const { daemon, bearer } = await guarded();
    const body = JSON.stringify(payload({ tool_input: { command: 'ls' } }));
    expect(await ask(daemon, '/hooks/claude', bearer, body)).toEqual({ status: 200, json: {} });
  });

  test('from an unknown agent gets an error, never an allow', async () => {
    const { daemon, bearer } = await guarded();
    const answer = await ask(daemon, '/hooks/cursed', bearer, JSON.stringify(payload()));
    expect(answer).toMatchObject({ status: 404, json: { error: { code: 'AGENT_UNKNOWN' } } });
    expect(listEvents(daemon.home.db)).toEqual([]);
  });

  test.each([
    ['nothing', '', 'empty'],
    ['half JSON', '{"session_id":', 'not one JSON object'],
    ['an array', '[]', 'not one JSON object'],
    ['bytes that are not text', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'not UTF-8'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}`, 'levels deep'],
    ['a body over the limit', Buffer.alloc(17 << 20, ' '), 'larger than 16 MiB (17825792 bytes)'],
  ])('with %s is recorded with the problem and gets no decision', async (_, body, problem) => {
    const { daemon, bearer } = await guarded();
    expect(await ask(daemon, '/hooks/claude', bearer, body)).toEqual({ status: 200, json: {} });
    const [event] = listEvents(daemon.home.db);
    expect(event).toMatchObject({ type: 'unknown', response: { decision: 'none' } });
    expect(event?.event.problem).toContain(problem);
  });

  test('states in words a denial that is otherwise an exit code', async () => {
    const { daemon, bearer } = await guarded();
    writeFileSync(
      join(daemon.home.paths.rules, 'b.yaml'),
      'rules:\n  - { id: no-worktree, on: worktree_create, deny: Stay here. }\n',
    );
    const body = payload({ hook_event_name: 'WorktreeCreate', name: 'foo' });
    expect(await ask(daemon, '/hooks/claude', bearer, JSON.stringify(body))).toEqual({
      status: 200,
      json: { decision: 'block', reason: expect.stringContaining('Stay here.') },
    });
  });

  test('is denied in failure mode closed if it is unreadable', async () => {
    const { daemon, bearer } = await guarded('failure: closed\nhttp: {port: 0}\n');
    const body = JSON.stringify({ hook_type: 'pre-tool-use', input_data: { tool_name: 5 } });
    expect(await ask(daemon, '/hooks/claude', bearer, body)).toMatchObject({
      status: 200,
      json: { hookSpecificOutput: { permissionDecision: 'deny' } },
    });
  });
});

test('rejects a query with a body over the limit', async () => {
  const { daemon, bearer } = await guarded();
  expect(await ask(daemon, '/api/ingest', bearer, Buffer.alloc(2 << 20))).toMatchObject({ status: 413 });
});

test('if the port is taken, uses another', async () => {
  const { daemon } = await guarded();
  const { port } = new URL(daemon.info.http);
  const second = await startDaemon(scratchHome(`http: {port: ${port}}\n`));
  expect(second.info.http).not.toBe(daemon.info.http);
  expect(second.info.http).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

describe('the live feed', () => {
  const open = (daemon: Daemon, headers: Record<string, string>, path = '/api/feed') => {
    const socket = new WebSocket(`${daemon.info.http.replace('http', 'ws')}${path}`, { headers });
    onTestFinished(() => socket.terminate());
    return socket;
  };

  test('requires the token, which no page gets', async () => {
    const { daemon, bearer } = await guarded('http: {port: 0, hooksWithoutToken: true}\n');
    for (const [headers, path] of [
      [{}, '/api/feed'],
      [{ authorization: 'Bearer wrong' }, '/api/feed'],
      [{ ...bearer, origin: 'http://127.0.0.1:1' }, '/api/feed'],
      [{ ...bearer, host: 'evil.example' }, '/api/feed'],
      [bearer, '/api/other'],
    ] as const) {
      const [error] = await once(open(daemon, headers, path), 'error');
      expect(String(error)).toContain('401');
    }
    expect(daemon.hub.feed.size()).toBe(0);
  });

  test('sends every stored call, redacted', async () => {
    const { daemon, bearer } = await guarded();
    const socket = open(daemon, bearer);
    await once(socket, 'open');
    const message = once(socket, 'message');
    const key = `sk-ant-${'a1b2c3d4'.repeat(5)}`;
    const body = JSON.stringify(payload({ tool_input: { command: `touch ${key}` } }));
    await ask(daemon, '/hooks/claude', bearer, body);
    const text = String((await message)[0]);
    expect(text).not.toContain(key);
    expect(JSON.parse(text)).toMatchObject({
      event: {
        type: 'before_tool',
        response: { decision: 'deny' },
        tool: { input: { command: 'touch [redacted:anthropic-key]' } },
      },
    });
  });

  test('rejects an invalid address like any other', async () => {
    const { daemon } = await guarded();
    for (const path of ['//', '//:x', '/api/feed?', '/%', '\\\\', 'http://[']) {
      const socket = connect(Number(new URL(daemon.info.http).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`);
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 40[01]/);
    }
  });

  test("a caller that disconnects midway doesn't affect the daemon", async () => {
    const { daemon, bearer } = await guarded();
    const port = Number(new URL(daemon.info.http).port);
    const upgrade = `GET /api/feed HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n`;
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
    for (const headers of [key, `${key}Authorization: ${bearer.authorization}\r\n`, '']) {
      for (let round = 0; round < 20; round += 1) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        socket.write(`${upgrade}${headers}\r\n`);
        socket.resetAndDestroy();
      }
    }
    expect(await ask(daemon, '/api/status', bearer)).toMatchObject({ status: 200 });
    await until(() => daemon.hub.feed.size() === 0);
  });

  test("drops an observer that doesn't read", async () => {
    const { daemon, bearer } = await guarded();
    const socket = open(daemon, bearer);
    // The peer is gone once it was dropped.
    socket.on('error', () => {});
    await once(socket, 'open');
    socket.pause();
    // Many texts, because a single long one is shortened before it is stored and shown.
    const filler = Array.from({ length: 4 << 10 }, () => 'x'.repeat(1 << 10));
    const body = JSON.stringify(payload({ tool_input: { command: 'ls', filler } }));
    for (let round = 0; round < 20 && daemon.hub.feed.size() > 0; round += 1) {
      await ask(daemon, '/hooks/claude', bearer, body);
    }
    await until(() => daemon.hub.feed.size() === 0);
  });
});

test("stop doesn't wait for idle connections", async () => {
  const { daemon, bearer } = await guarded();
  const port = Number(new URL(daemon.info.http).port);
  const silent = connect(port, '127.0.0.1');
  const half = connect(port, '127.0.0.1');
  onTestFinished(() => {
    silent.destroy();
    half.destroy();
  });
  half.write('POST /hooks/claude HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
  const frozen = new WebSocket(`${daemon.info.http.replace('http', 'ws')}/api/feed`, { headers: bearer });
  frozen.on('error', () => {});
  onTestFinished(() => frozen.terminate());
  await once(frozen, 'open');
  frozen.pause();
  await daemon.stop();
  await expect(ask(daemon, '/api/status', bearer)).rejects.toThrow();
});
