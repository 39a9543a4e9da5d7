import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { random, uuid } from '../../test/support/redact/random.ts';
import { afterTool } from '../../test/support/store/store.ts';
import { learnEnvValues } from './env-values.ts';
import { redactId } from './ids.ts';
import { redact } from './redact.ts';

const token = (seed: number) => `ghp_${random(seed, 36)}`;

test.each([
  uuid(700),
  '01a1e085-fc44-77f2-934e-7884410caf2e',
  `toolu_${random(701, 24)}`,
  `call_${random(702, 24)}`,
  `fc_${random(703, 48)}`,
  `chatcmpl-tool-${random(704, 32)}`,
  `ses_${random(705, 26)}`,
  // Ids are random: that alone makes none of them a secret.
  random(706, 40),
  'mcp__github__create_pull_request',
  'Bash',
  '',
])('keeps %s byte for byte', (id) => {
  expect(redactId(id)).toBe(id);
});

test('keeps every id in the payloads of the agents byte for byte', () => {
  const ids = payloads().flatMap(idsIn);
  expect(ids.length).toBeGreaterThan(500);
  expect(ids.filter((id) => redactId(id) !== id)).toEqual([]);
});

test('an id that contains a secret always becomes the same unique text', () => {
  const ids = [token(710), `run-${token(711)}`, `mcp__x__${token(712)}__read`, `mcp__${token(713)}__read`];
  const safe = ids.map(redactId);
  expect(safe).toEqual([
    expect.stringMatching(/^\[redacted:github-token\]-[\da-f]{8}$/),
    expect.stringMatching(/^run-\[redacted:github-token\]-[\da-f]{8}$/),
    expect.stringMatching(/^mcp__x__\[redacted:github-token\]__read-[\da-f]{8}$/),
    expect.stringMatching(/^mcp__\[redacted:github-token\]__read-[\da-f]{8}$/),
  ]);
  expect(ids.map(redactId)).toEqual(safe);
  expect(redactId(token(714))).not.toBe(redactId(token(715)));
  expect(safe.map(redactId)).toEqual(safe);
  expect(safe.map(redact)).toEqual(safe);
});

test('a secret learned in the middle of a session does not change its id', () => {
  const event = afterTool('cat .env');
  if (event.type !== 'after_tool') throw new Error('a finished call is expected');
  const id = 'orchard-plum-7781';
  learnEnvValues({ ...event, tool: { ...event.tool, response: `ORCHARD=${id}` } });
  expect(redact(`see ${id}`)).toBe('see [redacted:env]');
  expect(redactId(id)).toBe(id);
});

function payloads(): readonly unknown[] {
  const folder = new URL('../agents/', import.meta.url).pathname;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('in.json'))
    .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')));
}

const NAMES = /(?:^|_|[a-z])(?:id|Id|ID)$|tool_?name$/i;

function idsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' ? (NAMES.test(name) ? [one] : []) : idsIn(one),
  );
}
