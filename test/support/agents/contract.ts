import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Agent, Encoded } from '../../../src/agents/agent.ts';
import type { HookEvent } from '../../../src/model/events.ts';
import { isGuarded } from '../../../src/model/failure.ts';
import { type NativeAnswer, PASSTHROUGH } from '../../../src/model/native.ts';
import type { HookResponse } from '../../../src/model/responses.ts';
import { contractOf, type Payload } from '../../../src/sandbox/contract.ts';
import { CANONICAL_RESPONSES } from './canonical-responses.ts';
import { type Fixture, readFixtures } from './fixtures.ts';
import { testAgentWithAnything } from './properties.ts';
import { remainingWork } from './remaining-work.ts';
import { testSupports } from './supports.ts';

interface TestAgentOptions {
  /** Folder of `<native event>/<case>/in.json`, in the agent's own folder. */
  readonly fixtures: URL | string;
  /** Variables that the agent sets for hooks, as in a real call. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the agent treats as no decision, where that is not an empty stdout. */
  readonly silence?: (event: HookEvent) => NativeAnswer;
}

/** The contract that every agent fulfils. Call it in the agent's own test file. */
export function testAgent(agent: Agent, options: TestAgentOptions): void {
  const folder = join(options.fixtures instanceof URL ? fileURLToPath(options.fixtures) : options.fixtures);
  const env = options.env ?? {};
  const fixtures = readFixtures(folder, env);
  const encode = (event: HookEvent, response: HookResponse) => agent.encode(event, response, env);

  describe(`${agent.id}: the contract of agents`, () => {
    testCompleteness(agent, dirname(join(folder, '.')));
    // Everything below is about captured payloads, and the missing ones are already reported.
    if (fixtures.length === 0) return;

    test('has a fixture for exactly the event types in its table', () => {
      const types = new Set(fixtures.map(({ call }) => agent.decode(call).type));
      expect([...types].sort()).toEqual(Object.keys(agent.supports).sort());
    });
    test('contract.json has the fields of the fixtures, for `doctor --live`', async () => {
      const events = fixtures.map(({ call }) => agent.decode(call)).filter(({ type }) => type !== 'unknown');
      const text = `${JSON.stringify(contractOf(events.map(payloadOf)), null, 1)}\n`;
      await expect(text).toMatchFileSnapshot(join(folder, '..', 'contract.json'));
    });
    describe.each(fixtures)('$name', (fixture) => {
      testFixture(agent, fixture, encode, options.silence ?? (() => PASSTHROUGH));
    });

    test('denies at exactly the events that can prevent something', () => {
      const events = fixtures.map(({ call }) => agent.decode(call));
      // A native event may stand for several types, of which one is guarded.
      const guarded = new Set(events.filter(({ type }) => isGuarded(type)).map((event) => event.nativeEvent));
      for (const { nativeEvent } of events) {
        expect(Object.hasOwn(agent.refusals, nativeEvent), nativeEvent).toBe(guarded.has(nativeEvent));
      }
      const known = new Set(events.map(({ nativeEvent }) => nativeEvent));
      expect(Object.keys(agent.refusals).filter((name) => !known.has(name))).toEqual([]);
    });

    testSupports(
      agent,
      fixtures.map(({ call }) => agent.decode(call)),
      encode,
    );
    testAgentWithAnything(agent, fixtures, env);
  });
}

/** One failing test for each thing that is missing, named by its file and what to do there. */
function testCompleteness(agent: Agent, folder: string): void {
  const left = remainingWork(agent, folder);
  test('has nothing left to write', () => {
    expect(left).toEqual([]);
  });
  test.each(left)('left to write: %s', (item) => {
    expect.fail(item);
  });
}

function testFixture(
  agent: Agent,
  { call, folder }: Fixture,
  encode: (event: HookEvent, response: HookResponse) => Encoded,
  silence: (event: HookEvent) => NativeAnswer,
): void {
  test('decodes as recorded', async () => {
    const { native, ...event } = agent.decode(call);
    expect(native).toBe(call.payload);
    const text = `${JSON.stringify(event, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(folder, 'event.json'));
  });

  test('is answered as recorded', async () => {
    const event = agent.decode(call);
    const answers = Object.entries(CANONICAL_RESPONSES).map(
      ([name, response]) => `  ${JSON.stringify(name)}: ${goldenAnswer(encode(event, response))}`,
    );
    await expect(`{\n${answers.join(',\n')}\n}\n`).toMatchFileSnapshot(join(folder, 'answers.json'));
  });

  test('is answered with silence if there is no decision', () => {
    const event = agent.decode(call);
    expect(encode(event, { decision: 'none' })).toEqual({
      answer: silence(event),
      degraded: [],
      appends: [],
    });
  });

  test('keeps unknown keys', () => {
    const payload = { ...Object(call.payload), not_yet_invented: { deep: [1, { er: true }] } };
    expect(agent.decode({ ...call, payload }).native).toBe(payload);
  });
}

/** One line of `answers.json`: reasons stay in the table they come from, so that a better wording changes one file. */
function goldenAnswer({ answer, degraded, appends }: Encoded): string {
  return JSON.stringify({
    answer,
    ...(degraded.length > 0 && { degraded: degraded.map(({ effect }) => effect) }),
    ...(appends.length > 0 && { appends }),
  });
}

function payloadOf(event: HookEvent): Payload {
  const tool = 'tool' in event ? event.tool : null;
  return {
    nativeEvent: event.nativeEvent,
    tool: tool?.nativeName ?? null,
    input: tool?.input,
    native: event.native,
  };
}
