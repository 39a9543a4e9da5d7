import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BEST_FORWARDER, bashPayload, scratchProduct, until } from '../faults/product.ts';

vi.setConfig({ testTimeout: 240_000 });

const SECRET = 'hunter22-xK9mQ';
const TOLD = `DB_PASSWORD=${SECRET} marker`;

/** One in every place that an agent, a model or a tool fills. */
const PAYLOADS: readonly (readonly [event: string, stdin: string])[] = [
  ['UserPromptSubmit', bashPayload('', { hook_event_name: 'UserPromptSubmit', prompt: TOLD })],
  ['PreToolUse', bashPayload(`${TOLD} npm test`)],
  ['PreToolUse', bashPayload(`denied ${TOLD}`)],
  [
    'PostToolUse',
    bashPayload('cat x', {
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: `${TOLD}\n`, stderr: TOLD },
    }),
  ],
  ['PostToolUseFailure', bashPayload(`x ${TOLD}`, { hook_event_name: 'PostToolUseFailure', error: TOLD })],
  [
    'Notification',
    bashPayload('', { hook_event_name: 'Notification', message: TOLD, notification_type: 'permission' }),
  ],
  [
    'Stop',
    bashPayload('', { hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: TOLD }),
  ],
];

/** A webhook address, and the requests it received. */
async function openWebhook() {
  const sent: string[] = [];
  const server = createServer(async (request, response) => {
    sent.push(await text(request));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { sent, url: `http://127.0.0.1:${port}/` };
}

test('a secret that passed through the daemon is in none of its views, pages and messages', async () => {
  const webhook = await openWebhook();
  const product = scratchProduct({
    config: `notify: {on: [approval, turn, failure], webhook: '${webhook.url}'}\n`,
    // Views of a call include reasons of packs.
    packs: 'default',
  });
  const { read, hook, events } = product;
  product.rules('rules: [{id: denies, command: denied, deny: "No."}]\n');
  await product.up();
  for (const [event, stdin] of PAYLOADS) await hook(BEST_FORWARDER, event, stdin);
  const recorded = await events();
  expect(recorded).toHaveLength(PAYLOADS.length);
  const views: readonly (readonly string[])[] = [
    ...['status', 'sessions', 'stats', 'memory', 'events'].flatMap((view) => [[view], [view, '--json']]),
    ...recorded.flatMap(({ id }) => [
      ['why', id],
      ['why', id, '--json'],
    ]),
    ['events', '--all'],
    ['show', 's1', '--all'],
    ['show', 's1', '--json'],
    ['search', 'marker'],
    ['search', 'marker', '--json'],
    ['search', SECRET],
    ['backtest', '--json'],
    ['rules', 'report'],
    ['export'],
    ['statusline'],
    ['share', 's1', '--output', '-'],
  ];
  let shown = '';
  for (const view of views) {
    const { stdout, stderr } = await read(view);
    const said = `${stdout}${stderr}`;
    if (view[0] === 'share') expect(said).toContain('marker');
    // A search shows its own query.
    if (!view.includes(SECRET)) expect(said, view.join(' ')).not.toContain(SECRET);
    shown += said;
  }
  await until('a notice', () => webhook.sent.length > 0);
  expect(webhook.sent.join('\n')).toContain('DB_PASSWORD=[redacted]');
  expect(webhook.sent.join('\n')).not.toContain(SECRET);
  // It was there to be shown.
  expect(shown).toContain('DB_PASSWORD=[redacted]');
});
