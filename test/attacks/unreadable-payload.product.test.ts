import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../src/wire/exchange.ts';
import { socketPath } from '../../src/wire/socket-path.ts';
import { bashPayload, FORWARDERS, type Product, scratchProduct } from '../faults/product.ts';

// An unneeded argument makes the payload unreadable. It used to become an event of unknown type without a session,
// which no rule matched: 585 bytes disabled every rule.

const COMMAND = 'rm -rf ~/work';
const call = (extra: unknown) => bashPayload(COMMAND, { tool_input: { command: COMMAND, extra } });
const ATTACKS: readonly (readonly [what: string, payload: string, problem: string])[] = [
  [
    'an argument nested 200 deep',
    call(0).replace('"extra":0', `"extra":${'['.repeat(200)}${']'.repeat(200)}`),
    'nested more than 200 levels deep',
  ],
  ['17 MB of padding', call('x'.repeat(17 << 20)), 'larger than 16 MiB'],
  // More than a forwarder reads.
  ['65 MB of padding', call('x'.repeat(65 << 20)), 'larger than 16 MiB'],
  ['half a payload', call('x').slice(0, -30), 'not one JSON object'],
];
const RULE = 'rules:\n  - { id: guard, on: before_tool, command: rm, deny: "not here" }\n';
const OFFLINE = { HOOKLINE_NO_AUTOSTART: '1' };

function guarded(): Product {
  const product = scratchProduct();
  product.rules(RULE);
  return product;
}

async function expectRecorded({ events }: Product, problems: readonly string[]): Promise<void> {
  const kept = await events();
  expect(kept).toHaveLength(problems.length);
  for (const [at, problem] of problems.entries()) {
    expect(kept[at]).toMatchObject({
      type: 'before_tool',
      sessionId: 's1',
      tool: { name: 'Bash', input: { command: COMMAND } },
      response: { decision: 'deny', reason: expect.stringContaining(problem) },
      problem: expect.stringContaining(problem),
    });
  }
}

describe.each(FORWARDERS)('through the %s forwarder', (forwarder) => {
  test.each(['with a daemon', 'without a daemon'])('%s denies and records the call', async (mode) => {
    const product = guarded();
    if (mode === 'with a daemon') await product.up();
    for (const [what, payload, problem] of ATTACKS) {
      const { code, stdout } = await product.hook(forwarder, 'PreToolUse', payload, OFFLINE);
      const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput;
      expect({ what, code, permissionDecision }).toEqual({ what, code: 0, permissionDecision: 'deny' });
      expect(permissionDecisionReason).toContain(problem);
    }
    await expectRecorded(
      product,
      ATTACKS.map(([, , problem]) => problem),
    );
  });
});

test('over HTTP the call is denied and recorded if only the payload names its event', async () => {
  const product = guarded();
  await product.up();
  const { http } = JSON.parse(readFileSync(product.paths.daemon, 'utf8'));
  const headers = { authorization: `Bearer ${readFileSync(product.paths.token, 'utf8').trim()}` };
  const wrapped = (payload: string) => `{"input_data":${payload},"hook_type":"pre-tool-use"}`;
  for (const [what, payload] of ATTACKS.slice(0, 2)) {
    for (const body of [payload, wrapped(payload)]) {
      const response = await fetch(`${http}/hooks/claude`, { method: 'POST', headers, body });
      expect({ what, json: await response.json() }).toMatchObject({
        what,
        json: { hookSpecificOutput: { permissionDecision: 'deny' } },
      });
    }
  }
  const kept = await product.events();
  expect(kept.map(({ type, sessionId, tool }) => [type, sessionId, tool?.name])).toEqual(
    kept.map(() => ['before_tool', 's1', 'Bash']),
  );
  expect(kept).toHaveLength(4);
});

test('on the socket the call is denied even if its sender does not check the depth', async () => {
  const product = guarded();
  await product.up();
  const line = `{"request_id":"r","ts":${Date.now()},"agent":"claude","payload":${ATTACKS[0]?.[1]}}\n`;
  const reply = await exchange(socketPath(product.paths.root), Buffer.from(line), 'r');
  expect(reply.answer).toMatchObject({
    stdout_json: { hookSpecificOutput: { permissionDecision: 'deny' } },
  });
  await expectRecorded(product, ['nested more than 200 levels deep']);
});
