import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { DecodeError } from '../../../src/model/errors.ts';
import type { HookEvent } from '../../../src/model/events.ts';
import type { NativeCall } from '../../../src/model/native.ts';
import type { HookResponse } from '../../../src/model/responses.ts';
import type { Fixture } from './fixtures.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', "it's $(rm -rf /)\n", 'x'.repeat(20_000)),
);
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then'),
  fc.string({ maxLength: 12 }),
);
// Through JSON, so that "__proto__" is a key of its own, as in a payload.
const record = fc
  .array(fc.tuple(key, fc.jsonValue({ maxDepth: 3 })), { maxLength: 5 })
  .map(
    (entries): Record<string, unknown> =>
      JSON.parse(
        `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
      ),
  );
const grant = fc.record({
  behavior: fc.constantFrom('allow' as const, 'deny' as const, 'ask' as const),
  tool: text,
  pattern: fc.option(text),
  scope: fc.constantFrom('session' as const, 'project' as const, 'user' as const),
});

/** Any response at all, as far as its type allows. */
export const anyResponse: fc.Arbitrary<HookResponse> = fc.record(
  {
    decision: fc.constantFrom('none' as const, 'allow' as const, 'deny' as const, 'ask' as const),
    reason: text,
    context: text,
    systemMessage: text,
    modifyArgs: record,
    halt: text,
    replaceOutput: fc.jsonValue(),
    grants: fc.array(grant, { maxLength: 3 }),
    llmRequest: record,
    llmResponse: record,
    toolConfig: fc.constant({ mode: 'NONE' as const }),
    env: fc.dictionary(key, text, { maxKeys: 3 }),
    triggerAction: text,
    native: fc.dictionary(fc.constantFrom('claude', 'codex', 'gemini', '__proto__'), record),
    metadata: record,
  },
  { requiredKeys: ['decision'] },
);

/** Breaks one place of a payload: takes a key away, or puts something else there. */
const damage = fc.record({
  at: fc.array(fc.nat(50), { minLength: 1, maxLength: 4 }),
  put: fc.option(fc.oneof(fc.jsonValue({ maxDepth: 2 }), record), { nil: undefined, freq: 4 }),
});

function damaged(value: unknown, at: readonly number[], put: unknown): unknown {
  if (typeof value !== 'object' || value === null) return put;
  const entries = Object.entries(value);
  const [here = 0, ...deeper] = at;
  const entry = entries[here % Math.max(entries.length, 1)];
  if (!entry) return put;
  const inside = deeper.length > 0 ? damaged(entry[1], deeper, put) : put;
  const changed = entries.flatMap(([name, old]): [string, unknown][] => {
    if (name !== entry[0]) return [[name, old]];
    return inside === undefined ? [] : [[name, inside]];
  });
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed);
}

/** Arbitrary payloads and responses. */
export function testAgentWithAnything(
  agent: Agent,
  fixtures: readonly Fixture[],
  env: Readonly<Record<string, string>>,
): void {
  const anyFixture = fc.constantFrom(...fixtures);

  test('reads a damaged payload as an event, or throws DecodeError', () => {
    const damages = fc.array(damage, { minLength: 1, maxLength: 3 });
    const property = fc.property(anyFixture, damages, anyResponse, ({ call }, changes, response) => {
      const payload = changes.reduce(
        (broken: unknown, { at, put }) => damaged(broken, at, put),
        call.payload,
      );
      const event = decodeOrRefuse(agent, { ...call, payload });
      if (event) expect(isDeliverable(agent, event, response, env)).toBe(true);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  test.each([
    ['text that is not JSON', 'not json'],
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list', [{}]],
    ['an empty object', {}],
  ])('throws DecodeError for %s', (_, payload) => {
    for (const { call } of fixtures.slice(0, 1))
      expect(() => agent.decode({ ...call, payload })).toThrow(DecodeError);
  });

  test('accepts deep nesting', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 3_000; level += 1) deep = { deep };
    for (const { call } of fixtures) {
      const payload = { ...Object(call.payload), deep };
      expect(agent.decode({ ...call, payload }).native).toBe(payload);
    }
  });

  test('has an answer for every response', () => {
    const property = fc.property(anyFixture, anyResponse, ({ call }, response) => {
      expect(isDeliverable(agent, agent.decode(call), response, env)).toBe(true);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
}

function decodeOrRefuse(agent: Agent, call: NativeCall): HookEvent | null {
  try {
    return agent.decode(call);
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}

/** True when the answer reaches the agent as it is. */
function isDeliverable(
  agent: Agent,
  event: HookEvent,
  response: HookResponse,
  env: Readonly<Record<string, string>>,
): boolean {
  const encoded = agent.encode(event, response, env);
  const sent = JSON.stringify(encoded);
  return JSON.stringify(JSON.parse(sent)) === sent;
}
