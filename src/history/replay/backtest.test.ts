import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callWith, saying } from '../../../test/support/engine.ts';
import { handled, replayBy, ruleSetOf, rulesHandlerOf, STILL } from '../../../test/support/history/replay.ts';
import { scratchPath } from '../../../test/support/store/store.ts';
import { changeRecord } from '../../access/record.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { Call } from '../../model/native.ts';
import type { Opinion } from '../../model/recording.ts';
import { allow, type Decision, deny } from '../../model/responses.ts';
import { openStore } from '../../store/database/open.ts';
import { countEvents } from '../../store/read/queries.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import { backtest, isAgainstAnswer, onlyAmong } from './backtest.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';
import { createReplay } from './replay.ts';

const BEFORE = `
rules:
  - { id: push, command: git push, ask: 'Pushes need approval.' }
  - { id: publish, command: npm publish, deny: 'Releases are made by CI.' }
  - { id: env, writes: '**/.env', deny: 'No.' }
`;
const AFTER = `
rules:
  - { id: push, command: git push --force, deny: 'No.' }
  - { id: tests, command: npm test, allow: true }
  - { id: env, reads: '**/.env', ask: 'Secrets.' }
  - { id: often, command: ls, deny: 'Enough.', limit: 2 per turn }
  - { id: hourly, command: rm, deny: 'Enough.', limit: 40 per hour }
  - { id: turned, command: curl, rewrite: { command: 'npm publish' } }
  - { id: release, command: npm publish, deny: 'No.' }
  - { id: untested, command: git commit, untested: true, ask: 'Test first.' }
  - { id: when, when: 'commands.exists(c, c.name == "make")', ask: 'Make what?' }
`;

const command = fc.constantFrom(
  'git push',
  'git push --force',
  'git commit -m x',
  'npm test',
  'npm test && rm -rf x',
  'npm publish',
  'curl https://example.com',
  'ls',
  'rm x',
  'make all',
  "sh -c 'git push -f'",
  'cat .env',
);
const tool = fc.oneof(
  { weight: 5, arbitrary: command.map((line) => ({ tool: 'Bash', input: { command: line } })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('/work/shop/.env', '/work/shop/a.ts')
      .map((path) => ({ tool: 'Write', input: { file_path: path, content: 'x' } })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('/work/shop/.env', '/work/shop/a.ts')
      .map((path) => ({ tool: 'Read', input: { file_path: path } })),
  },
);
/** What else agents send around a call. */
const NATIVE: Readonly<Record<string, { readonly prompt: string; readonly result: string }>> = {
  claude: { prompt: 'UserPromptSubmit', result: 'PostToolUse' },
  codex: { prompt: 'UserPromptSubmit', result: 'PostToolUse' },
  gemini: { prompt: 'BeforeAgent', result: 'AfterTool' },
};

const step = fc.record({
  agent: fc.constantFrom(...AGENTS.keys()),
  session: fc.constantFrom('one', 'two', 'three'),
  prompts: fc.integer({ max: 6, min: 0 }).map((n) => n === 0),
  ends: fc.boolean(),
  call: tool,
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let made = 0;
function callsOf(steps: readonly Step[]): Call[] {
  const add = (agent: string, payload: object) => {
    made += 1;
    return callWith(agent, payload, { id: `c-${made}`, receivedAt: 1_700_000_000_000 + made * 20_000 });
  };
  return steps.flatMap(({ agent, session, prompts, ends, call }) => {
    const request = { id: `u-${made}`, tool: call.tool, input: call.input, cwd: '/work/shop' };
    const payload: object = Object(AGENTS.get(agent)?.toolPayload(request));
    const native = NATIVE[agent];
    const as = (name: string | undefined, more: object) =>
      add(agent, { ...payload, session_id: session, hook_event_name: name, ...more });
    return [
      ...(prompts ? [as(native?.prompt, { prompt: 'Go on.' })] : []),
      add(agent, { ...payload, session_id: session }),
      ...(ends ? [as(native?.result, { tool_response: { stdout: '', exitCode: 0 } })] : []),
    ];
  });
}

/** Records calls as a daemon with these rules would have. */
async function record(calls: readonly Call[], yaml: string) {
  const db = openStore(scratchPath());
  await handled(calls, (now) => [rulesHandlerOf(yaml, now)], createRecorder(db, { redact: (text) => text }));
  return db;
}

test('agrees call by call with handling the recorded calls again', async () => {
  const [steps = []] = fc.sample(fc.array(step, { minLength: 2000, maxLength: 2000 }), {
    numRuns: 1,
    seed: 7,
  });
  const calls = callsOf(steps);
  const db = await record(calls, BEFORE);
  expect(countEvents(db)).toBe(calls.length);
  const recorded = [...recordedCalls(db)];

  const placed = new Map(recorded.map((one) => [one.id, one]));
  const again = await handled(calls, (now) => [rulesHandlerOf(AFTER, now)], {
    place: (event) => {
      const { sequence = 0, promptNumber = 0, toolNumber = 0 } = placed.get(event.id) ?? {};
      return { ...event, sequence, promptNumber, toolNumber };
    },
    waitingContext: () => [],
    commit: () => true,
  });
  const replay = replayBy(AFTER);
  const replayed = new Map<string, Decision | undefined>();
  for (const one of recorded) replayed.set(one.id, (await replay.replay(one))?.response.decision);

  expect([...replayed]).toEqual([...again]);
  // Each rule has had its part, so that agreeing means something.
  expect(new Set(again.values())).toEqual(new Set(['none', 'allow', 'ask', 'deny']));
});

const shell = (line: string, session = 's'): Call => {
  const payload = AGENTS.get('claude')?.toolPayload({
    id: line,
    tool: 'Bash',
    input: { command: line },
    cwd: '/work',
  });
  return callWith('claude', { ...Object(payload), session_id: session });
};

const changesOf = async (calls: Iterable<RecordedCall>, yaml: string) =>
  (await backtest(calls, replayBy(yaml))).changes.map(({ subject, kind, from, rules }) => [
    subject,
    kind,
    from,
    rules,
  ]);

test('tells what would be decided otherwise, and by which rule', async () => {
  const lines = ['git push', 'git push --force', 'npm publish', 'npm test', 'ls'];
  const db = await record(
    lines.map((line) => shell(line)),
    BEFORE,
  );
  expect(await changesOf(recordedCalls(db), AFTER.replace(/.*id: release.*/, ''))).toEqual([
    ['git push', 'undecided', 'ask', ['push']],
    ['git push --force', 'denied', 'ask', ['push']],
    ['npm publish', 'undecided', 'deny', ['publish']],
    ['npm test', 'allowed', 'none', ['tests']],
  ]);
  expect(await changesOf(recordedCalls(db), BEFORE)).toEqual([]);
  expect(await changesOf(recordedCalls(db, { since: 2_000_000_000_000 }), AFTER)).toEqual([]);
});

test("ignores Hookline's own records", async () => {
  const db = await record([shell('git push')], BEFORE);
  createRecorder(db, { redact: (text) => text }).commit(changeRecord('stop', 'maya', 'stopped it'));
  expect(countEvents(db)).toBe(2);
  const onNotification = "rules: [{ id: note, on: notification, context: 'Hm.' }]";
  const { calls, unreadable } = await backtest(recordedCalls(db), replayBy(onNotification));
  expect({ calls, unreadable }).toEqual({ calls: 1, unreadable: 0 });
});

test('what hooks said then is still said, and no hook is run', async () => {
  const db = openStore(scratchPath());
  const hook = saying(({ type }) => (type === 'before_tool' ? deny('the hook') : null), 'mine');
  await handled([shell('npm test')], () => [hook], createRecorder(db, { redact: (text) => text }));
  expect(await changesOf(recordedCalls(db), AFTER)).toEqual([]);
});

describe('what a person had answered', () => {
  const answered = async (line: string, decision: 'allow' | 'deny', from: string, to: string) => {
    const db = await record([shell(line)], from);
    const approval: Opinion = {
      kind: 'approval',
      by: 'ann',
      where: null,
      response: decision === 'allow' ? allow() : deny('no'),
    };
    const calls = [...recordedCalls(db)].map((one) => ({ ...one, opinions: [...one.opinions, approval] }));
    const { changes } = await backtest(calls, replayBy(to));
    return changes.map((change) => [change.kind, change.answered?.by, isAgainstAnswer(change)]);
  };
  const rules = (what: string) => `rules: [{ id: r, command: git push, ${what} }]`;

  test('the other way is reported', async () => {
    expect(await answered('git push', 'allow', rules('ask: x'), rules('deny: x'))).toEqual([
      ['denied', 'ann', true],
    ]);
    expect(await answered('git push', 'deny', rules('ask: x'), rules('allow: x'))).toEqual([
      ['allowed', 'ann', true],
    ]);
    expect(await answered('git push', 'deny', rules('ask: x'), 'rules:')).toEqual([
      ['undecided', 'ann', true],
    ]);
  });

  test('the same way is not held against the rules', async () => {
    expect(await answered('git push', 'deny', rules('ask: x'), rules('deny: x'))).toEqual([
      ['denied', 'ann', false],
    ]);
    expect(await answered('git push', 'allow', rules('ask: x'), rules('allow: x'))).toEqual([
      ['allowed', 'ann', false],
    ]);
  });

  test('a grant is not taken for the own dialog of the agent, and a name is told once', async () => {
    for (const by of ['grant 3fa9', 'allowed by ann (terminal)']) {
      const before = shell('git push');
      const payload = { ...Object(before.payload), hook_event_name: 'PostToolUse', tool_response: {} };
      const db = await record([before, callWith('claude', payload)], rules('ask: x'));
      const approval: Opinion = { kind: 'approval', by, where: null, response: allow() };
      const calls = [...recordedCalls(db)].map((one) =>
        one.type === 'before_tool' ? { ...one, opinions: [...one.opinions, approval] } : one,
      );
      const { changes } = await backtest(calls, replayBy(rules('deny: x')));
      expect(changes[0]?.answered?.by).toBe(by.replace('allowed by ', ''));
    }
  });

  test("a call that was asked about and then ran was allowed in the agent's own dialog", async () => {
    const before = shell('git push');
    const after = callWith('claude', {
      ...Object(before.payload),
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: '' },
    });
    const db = await record([before, after], rules('ask: x'));
    const { changes } = await backtest(recordedCalls(db), replayBy(rules('deny: x')));
    expect(changes).toMatchObject([{ kind: 'denied', answered: { decision: 'allow' } }]);
  });
});

test('the folder chooses the rules, whatever name a script gave the project', async () => {
  const payload = Object(shell('make').payload);
  const named = callWith('claude', { ...payload, project_id: '/elsewhere' });
  const db = await record([shell('make'), named], BEFORE);
  const there = ruleSetOf('rules: [{ id: there, command: make, deny: no }]');
  const asked: (string | null)[] = [];
  const inForce = (project: string | null) => {
    asked.push(project);
    return there.inForce(project);
  };
  const replay = createReplay({
    agents: AGENTS,
    rules: { ...there, inForce },
    failure: 'open',
    world: STILL,
  });
  const { changes } = await backtest(recordedCalls(db), replay);
  expect(changes.map(({ rules: by }) => by)).toEqual([['there'], ['there']]);
  expect(new Set(asked)).toEqual(new Set(['/work']));
});

test('what cannot be read back is counted, not replayed', async () => {
  const db = await record([shell('git push')], BEFORE);
  const [call] = recordedCalls(db);
  if (!call) throw new Error('nothing was recorded');
  for (const native of [null, '"cut', '{}']) {
    const result = await backtest([{ ...call, native }], replayBy(AFTER));
    expect(result).toMatchObject({ calls: 1, unreadable: 1, changes: [] });
  }
});

test('rules that ask for the state of the tree are counted: history does not tell it', async () => {
  const db = await record([shell('git push')], BEFORE);
  const { unknowable } = await backtest(
    recordedCalls(db),
    replayBy('rules: [{ id: t, command: git, tree: dirty, deny: no }]'),
  );
  expect(unknowable).toEqual({ tree: 1, branch: 0, files: 0 });
});

test('a call that was allowed because of earlier file contents is not reported as changed', async () => {
  const [call] = recordedCalls(await record([shell('git status')], BEFORE));
  if (!call) throw new Error('nothing was recorded');
  const opinions = [{ kind: 'rule', by: 'c', where: null, response: allow('It only reads.') }] as const;
  const calls = [{ ...call, opinions }];
  const calm = await backtest(calls, replayBy('rules: [{ id: c, calm: true, allow: It only reads. }]'));
  expect(calm).toMatchObject({ changes: [], unknowable: { files: 1 } });
  // Without the rule it is one.
  expect(await changesOf(calls, 'rules: [{ id: x, command: other, deny: no }]')).toEqual([
    ['git status', 'undecided', 'allow', ['c']],
  ]);
});

test('of a part of the calls only their changes count', async () => {
  const db = await record(
    ['git push', 'npm publish'].map((line) => shell(line)),
    BEFORE,
  );
  const result = await backtest(recordedCalls(db), replayBy('rules: [{ id: x, command: other, deny: no }]'));
  const [, last] = recordedCalls(db);
  expect(result.changes).toHaveLength(2);
  const { calls, changes } = onlyAmong(result, last ? [last] : []);
  expect([calls, changes.map(({ subject }) => subject)]).toEqual([1, ['npm publish']]);
});
