import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Clock, stopClock } from '../../../test/support/clock.ts';
import { askWith, placesIn, type Scratch, scratchFiles, toolEvent } from '../../../test/support/hooks.ts';
import { until } from '../../../test/support/until.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { headersOf } from '../http.ts';
import { type HookRegistry, openHooks } from '../registry.ts';
import { createPromptMemory } from './memory.ts';
import { readVerdict } from './verdict.ts';

let clock: Clock;
let scratch: Scratch;
let registry: HookRegistry;
let server: Server;
let url: string;
const requests: { path: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
let reply: { status: number; body: string } | null = { status: 200, body: '' };

beforeEach(async () => {
  clock = stopClock();
  requests.length = 0;
  scratch = scratchFiles();
  registry = openHooks(placesIn(scratch.path), AGENTS);
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (reply) response.writeHead(reply.status).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('SCRIPTED_KEY', 'sk-not-a-key');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  registry.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function ask(yaml: string, command = 'rm a', budgetMs = 2_000) {
  scratch.write('hooks.yaml', yaml);
  const [hook] = await registry.hooksFor(null);
  expect(registry.problems()).toEqual([]);
  return await hook?.run(toolEvent('gemini', 'Bash', { command }), askWith(budgetMs));
}

describe('HTTP hooks', () => {
  const http = (more = '') =>
    `hooks:\n  - { type: http, dialect: claude, on: before_tool, url: "${url}/judge"${more} }\n`;

  test('body and answer use the dialect of the event', async () => {
    reply = { status: 200, body: JSON.stringify({ decision: 'block', reason: 'no' }) };
    const more =
      ', headers: { authorization: "Bearer $SCRIPTED_KEY", x: "$HOME" }, allowedEnvVars: [SCRIPTED_KEY]';
    expect(await ask(http(more))).toEqual({ decision: 'deny', reason: 'no' });
    const [request] = requests;
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sk-not-a-key', x: '' });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
    });
  });

  test.each([
    ['an empty answer means no decision', { status: 204, body: '' }, { decision: 'none' }],
    ['an empty object means no decision', { status: 200, body: '{}' }, { decision: 'none' }],
  ])('%s', async (_, given, expected) => {
    reply = given;
    expect(await ask(http())).toEqual(expected);
  });

  test.each([
    [
      'an error with a refusal in it',
      { status: 500, body: '{"decision":"block","reason":"no"}' },
      'status 500',
    ],
    ['a redirect', { status: 302, body: '' }, 'status 302'],
    ['a text', { status: 200, body: 'ok' }, 'not a JSON object'],
    ['no answer', null, 'no answer within'],
  ])('%s is a failure', async (_, given, message) => {
    reply = given;
    const asked = expect(ask(http(), 'rm a', 300)).rejects.toThrow(message);
    await until(() => requests.length === 1);
    if (given === null) await clock.advance(300);
    await asked;
  });

  test('an unreachable server is a failure', async () => {
    const dead = http().replace(url, 'http://127.0.0.1:1');
    await expect(ask(dead)).rejects.toThrow('is unreachable');
  });

  test("a variable can't end a header", () => {
    const entry = { headers: { a: '$X' }, allowedEnvVars: ['X'] };
    expect(headersOf(entry, { X: 'one\r\ntwo: 3' })).toEqual({ a: 'onetwo: 3' });
  });
});

describe('prompt hooks', () => {
  const prompt = (type: string, more = '') =>
    `providers:\n  small: { type: ${type}, url: "${url}", model: tiny, key: SCRIPTED_KEY }\n` +
    `hooks:\n  - { type: prompt, name: careful, on: before_tool, provider: small, prompt: "Judge: $ARGUMENTS"${more} }\n`;
  const said: Readonly<Record<string, (text: string) => string>> = {
    openai: (text) => JSON.stringify({ choices: [{ message: { content: text } }] }),
    anthropic: (text) => JSON.stringify({ content: [{ type: 'text', text }] }),
    google: (text) => JSON.stringify({ candidates: [{ content: { parts: [{ text }] } }] }),
  };
  const say = (type: string, text: string) => {
    reply = { status: 200, body: said[type]?.(text) ?? '' };
  };

  test.each([
    ['openai', '/chat/completions', 'authorization', 'Bearer sk-not-a-key'],
    ['anthropic', '/v1/messages', 'x-api-key', 'sk-not-a-key'],
    ['google', '/models/tiny:generateContent', 'x-goog-api-key', 'sk-not-a-key'],
  ])('asks %s in its own format', async (type, path, header, key) => {
    say(type, '{"ok": false, "reason": "risky"}');
    expect(await ask(prompt(type))).toEqual({ decision: 'deny', reason: 'risky' });
    expect(requests[0]).toMatchObject({ path, headers: { [header]: key } });
    expect(requests[0]?.body).toContain('rm a');
  });

  test('asks the same question once, another one again, and no more often than allowed', async () => {
    say('openai', '{"ok": true, "reason": "fine"}');
    const yaml = prompt('openai', ', perHour: 2');
    expect(await ask(yaml, 'ls')).toEqual({ decision: 'none' });
    expect(await ask(yaml, 'ls')).toEqual({ decision: 'none' });
    await ask(yaml, 'ls -l');
    expect(requests).toHaveLength(2);
    await expect(ask(yaml, 'ls -a')).rejects.toThrow('2 times within an hour');
  });

  test("redacts secrets, and doesn't treat $& in a command as a pattern", async () => {
    say('openai', '{"ok": true}');
    await ask(
      prompt('openai'),
      'curl -H "Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789" $&',
    );
    expect(requests[0]?.body).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz0123456789');
    expect(requests[0]?.body).toContain('$&');
  });

  test.each([
    ['not JSON', 'Sure, go ahead!'],
    ['another form', '{"verdict": "good"}'],
    ['an unknown word', '{"decision": "maybe"}'],
  ])('%s is a failure, never an opinion', async (_, text) => {
    say('openai', text);
    await expect(ask(prompt('openai'))).rejects.toThrow('has the wrong format');
  });

  test('a late or refused answer, or a missing key, is a failure', async () => {
    reply = null;
    const asked = expect(ask(prompt('openai'), 'rm a', 300)).rejects.toThrow('no answer within');
    await until(() => requests.length === 1);
    await clock.advance(300);
    await asked;
    reply = { status: 401, body: '{}' };
    await expect(ask(prompt('openai'), 'rm b')).rejects.toThrow('status 401');
    vi.stubEnv('SCRIPTED_KEY', '');
    await expect(ask(prompt('openai'), 'rm c')).rejects.toThrow('the variable SCRIPTED_KEY contains no key');
  });

  test.each([
    ['{"ok":true,"reason":"r"}', false, { decision: 'none' }],
    ['{"ok":true,"reason":"r"}', true, { decision: 'allow', reason: 'r' }],
    ['```json\n{"ok":false,"reason":"r"}\n```', true, { decision: 'deny', reason: 'r' }],
    ['{"decision":"approve","reason":"r"}', false, { decision: 'none' }],
    [
      '{"decision":"block","reason":"r","systemMessage":"m"}',
      false,
      { decision: 'deny', reason: 'r', systemMessage: 'm' },
    ],
    [
      '{"decision":"approve","reason":"r","continue":false,"stopReason":"s"}',
      false,
      { decision: 'none', halt: 's' },
    ],
    ['Let me think. {"ok":false,"reason":"r"} is my answer.', true, { decision: 'deny', reason: 'r' }],
    [
      'It is fine:\n```json\n{"decision": "approve", "reason": "a } b"}\n```\nGood luck!',
      true,
      { decision: 'allow', reason: 'a } b' },
    ],
    // The strictest of several applies, in any order.
    ['{"ok":true} or rather {"ok":false,"reason":"r"}', true, { decision: 'deny', reason: 'r' }],
    ['{"ok":false,"reason":"r"} not {"ok":true}', true, { decision: 'deny', reason: 'r' }],
    ['{"continue":false,"stopReason":"s"}', true, { decision: 'none', halt: 's' }],
    ['{"continue":false,"reason":"r"}', true, { decision: 'none', halt: 'r' }],
    ['{"ok":false,"reason":"r","continue":false}', true, { decision: 'deny', reason: 'r', halt: 'r' }],
    ['{"continue":true}', true, { decision: 'none' }],
    ['{"ok":true}', true, { decision: 'allow' }],
    ['{"ok":false}', true, { decision: 'deny', reason: 'A prompt hook objects.' }],
  ])('%s with mayAllow %s', (text, mayAllow, expected) => {
    expect(readVerdict(text, mayAllow)).toEqual(expected);
  });

  test('reads an answer full of braces only up to the limit', () => {
    expect(() => readVerdict('{'.repeat(1_000_000), true)).toThrow('has the wrong format');
  });

  test('$ARGUMENTS is the payload in the dialect of the hook', async () => {
    say('openai', '{"ok": true}');
    await ask(prompt('openai', ', dialect: claude'));
    const asked: unknown = JSON.parse(requests[0]?.body ?? '');
    expect(JSON.stringify(asked)).toContain('\\"hook_event_name\\":\\"PreToolUse\\"');
    await ask(prompt('openai', ', dialect: gemini'));
    expect(requests[1]?.body).toContain('run_shell_command');
    await ask(prompt('openai'));
    expect(requests[2]?.body).toContain('before_tool');
  });

  test('forgets an answer after an hour', () => {
    let now = 0;
    const memory = createPromptMemory(() => now);
    memory.keep('k', { decision: 'deny', reason: 'r' });
    expect(memory.recall('k')).toBeDefined();
    now = 3_600_001;
    expect(memory.recall('k')).toBeUndefined();
  });
});
