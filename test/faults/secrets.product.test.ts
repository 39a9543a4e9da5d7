import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { bashPayload, FORWARDERS, filesBelow, scratchProduct, until } from './product.ts';

const SECRETS = {
  anthropic: `sk-ant-api03-${'Zk4mQ9'.repeat(8)}`,
  github: `ghp_${'a1B2c3'.repeat(6)}`,
  password: 'correct-horse-battery',
  url: 'hunter2hunter2',
};
const LINE = `API=${SECRETS.anthropic} PGPASSWORD=${SECRETS.password} git clone https://me:${SECRETS.url}@x.org ${SECRETS.github}`;

/** One secret in every place that an agent fills with other people's words. */
const PAYLOADS: readonly (readonly [event: string, stdin: string])[] = [
  ['PreToolUse', bashPayload(LINE)],
  [
    'PreToolUse',
    bashPayload('ls', { cwd: `/tmp/${SECRETS.anthropic}/x`, transcript_path: `/t/${SECRETS.github}` }),
  ],
  ['PreToolUse', bashPayload('ls', { tool_name: 'Write', tool_input: { file_path: '/x', content: LINE } })],
  ['UserPromptSubmit', bashPayload('', { hook_event_name: 'UserPromptSubmit', prompt: LINE })],
  [
    'PostToolUse',
    bashPayload('env', { hook_event_name: 'PostToolUse', tool_response: { stdout: LINE, stderr: LINE } }),
  ],
  [
    'Notification',
    bashPayload('', { hook_event_name: 'Notification', message: LINE, notification_type: 'x' }),
  ],
  ['InventedTomorrow', bashPayload('', { hook_event_name: 'InventedTomorrow', news: [LINE] })],
  ['PreToolUse', `{"half": "${LINE}`],
  ['PreToolUse', bashPayload(LINE, { session_id: { secret: SECRETS.anthropic } })],
  [SECRETS.github, bashPayload('ls', { hook_event_name: SECRETS.github })],
];
const SESSION = `session-${SECRETS.github}`;
/** What agents name: in ids and names. Before and after one call, for them to be found together. */
const NAMED: readonly (readonly [event: string, stdin: string])[] = ['PreToolUse', 'PostToolUse'].map(
  (event) => [
    event,
    bashPayload('ls', {
      hook_event_name: event,
      session_id: SESSION,
      tool_use_id: `toolu_01-${SECRETS.anthropic}`,
      tool_name: `mcp__${SECRETS.github}__${SECRETS.anthropic}`,
      agent_id: `agent:${SECRETS.github}`,
      agent_type: SECRETS.anthropic,
      permission_mode: SECRETS.github,
      model: SECRETS.anthropic,
      tool_response: 'done',
    }),
  ],
);
const RULES = `rules:
  - {id: tells, on: [notification, before_tool], context: "the key is ${SECRETS.anthropic}"}
  - {id: denies, command: API=${SECRETS.anthropic}, deny: "no ${SECRETS.github}"}
`;

const ALL = PAYLOADS.length + NAMED.length;

test.each(FORWARDERS)('stores, logs and shows no secret, through the %s forwarder', async (forwarder) => {
  const { up, read, hook, rules, paths, daemonPid, events } = scratchProduct();
  rules(RULES);
  const plant = async () => {
    for (const [event, stdin] of [...PAYLOADS, ...NAMED]) {
      const { code } = await hook(forwarder, event, stdin, { HOOKLINE_NO_AUTOSTART: '1' });
      expect(code).toBe(0);
    }
  };
  await plant();
  expectClean(paths.root, 'spooled');

  await up();
  const daemon = JSON.parse(readFileSync(paths.daemon, 'utf8'));
  const authorization = `Bearer ${readFileSync(paths.token, 'utf8').trim()}`;
  const feed = new WebSocket(`${daemon.http.replace('http', 'ws')}/api/feed`, { headers: { authorization } });
  onTestFinished(() => feed.terminate());
  const told: string[] = [];
  feed.on('message', (data) => told.push(String(data)));
  await once(feed, 'open');
  await plant();
  await until('the feed told everything', () => told.length === ALL);
  for (const text of told) expectNone(text, 'the feed');

  // An error that repeats what was sent goes to the log.
  const socket = connectSocket(daemon.socket);
  socket.write(`{"request_id":"r","ts":1,"agent":"${SECRETS.anthropic}","payload":{}}\n`);
  await once(socket, 'data');
  socket.destroy();
  expectClean(paths.root, 'stored');

  const kept = await events();
  expect(kept).toHaveLength(2 * ALL);
  // From the spool and from the daemon: one session, and in it one call.
  const named = kept.filter(({ sessionId }) => sessionId.startsWith('session-'));
  expect(named).toHaveLength(2 * NAMED.length);
  expect(new Set(named.map(({ sessionId }) => sessionId)).size).toBe(1);
  expect(new Set(named.map(({ tool }) => tool?.useId)).size).toBe(1);
  for (const event of [kept[0], kept.at(-2), kept.at(-1)]) {
    expectNone((await read(['why', event?.id ?? ''])).stdout, 'why');
  }
  // Without the checkpoint of an orderly stop, so that the log of the database is searched too.
  const pid = await daemonPid();
  expect(pid).not.toBeNull();
  process.kill(pid ?? 0, 'SIGKILL');
  expectClean(paths.root, 'after a kill');
  expect(readFileSync(join(paths.rules, 'rules.yaml'), 'utf8')).toBe(RULES);
});

function expectNone(text: string, where: string): void {
  for (const [name, secret] of Object.entries(SECRETS))
    expect(text.includes(secret), `${name} in ${where}`).toBe(false);
}

/** Everything but the user's own rules, and the copies of them that apply while they are broken, or wait for a person. */
function expectClean(root: string, when: string): void {
  const files = filesBelow(root).filter(
    ({ path }) => !/\/(?:rules|last-good)\/|\/confirmed\.json$/.test(path),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const { path, content } of files) {
    for (const [name, secret] of Object.entries(SECRETS)) {
      expect(content.includes(secret), `${name} in ${path}, ${when}`).toBe(false);
    }
  }
}
