import { expect, test } from 'vitest';
import { callWith } from '../../../test/support/engine.ts';
import { handled, rulesHandlerOf } from '../../../test/support/history/replay.ts';
import { scratchPath } from '../../../test/support/store/store.ts';
import { AGENTS } from '../../agents/_registry.ts';
import { type StandingGrant, standingAnswer } from '../../approvals/grant.ts';
import type { Opinion } from '../../model/recording.ts';
import { allow, deny } from '../../model/responses.ts';
import { openStore } from '../../store/database/open.ts';
import { createRecorder } from '../../store/record/recorder.ts';
import { proposals } from './learn.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';
import { readBack } from './replay.ts';

const around = {
  home: '/home/dev',
  now: () => 0,
  branchOf: () => 'main',
  redact: (text: string) => text,
  real: (path: string) => path,
  identityOf: (folder: string) => folder,
  runOptions: () => ({}),
};
const RULES = 'rules: [{ id: ask, tool: Bash, ask: Look. }]';

interface Answer {
  readonly command: string;
  readonly said?: 'allow' | 'deny' | 'grant';
  readonly cwd?: string;
  readonly agent?: string;
}

async function history(answers: readonly Answer[]): Promise<RecordedCall[]> {
  const db = openStore(scratchPath());
  const calls = answers.map(({ command, cwd = '/work/shop', agent = 'claude' }, at) =>
    callWith(agent, {
      ...Object(AGENTS.get(agent)?.toolPayload({ id: `u${at}`, tool: 'Bash', input: { command }, cwd })),
      session_id: `s${at}`,
    }),
  );
  await handled(calls, (now) => [rulesHandlerOf(RULES, now)], createRecorder(db, { redact: (text) => text }));
  return [...recordedCalls(db)].map((call, at) => {
    const { said } = answers[at] ?? {};
    if (!said) return call;
    const opinion: Opinion = {
      kind: 'approval',
      by: said === 'grant' ? 'grant 12' : 'ann',
      where: null,
      response: said === 'deny' ? deny('no') : allow(),
    };
    return { ...call, opinions: [...call.opinions, opinion] };
  });
}

const learn = (calls: readonly RecordedCall[], grants: readonly StandingGrant[] = []) =>
  proposals(calls, { agents: AGENTS, grants, around, times: 3, newId: () => 'new' });
const yes = (command: string, more: Partial<Answer> = {}): Answer => ({ command, said: 'allow', ...more });

test('proposes for the project, on every agent, what was allowed three times in a directory', async () => {
  const calls = await history([
    yes('npm test'),
    yes('npm  test', { agent: 'codex' }),
    yes('"npm" test', { agent: 'gemini' }),
    yes('npm run build'),
    { command: 'npm publish' },
  ]);
  const found = learn(calls);
  expect(found).toMatchObject([
    {
      times: 3,
      grant: {
        behavior: 'allow',
        scope: 'project',
        project: '/work/shop',
        cwd: '/work/shop',
        expiresAt: null,
      },
      examples: ['npm test', 'npm  test', '"npm" test'],
    },
  ]);
  expect(found[0]?.nearMisses).toContain('npm publish');
  expect(found[0]?.nearMisses).toContain('npm run build');
});

test('a proposal covers its examples and none of its near misses', async () => {
  const calls = await history([yes('npm test'), yes('npm test'), yes('npm test'), yes('npm test x')]);
  const [found] = learn(calls);
  const agent = AGENTS.get('claude');
  const [call] = calls;
  if (!found || !agent || !call) throw new Error('nothing was proposed');
  const covers = (command: string) => {
    const event = readBack(agent, call);
    if (event?.type !== 'before_tool') throw new Error('no call');
    return standingAnswer({ ...event, tool: { ...event.tool, command } }, [found.grant], around) !== null;
  };
  expect(found.examples.filter(covers)).toEqual(found.examples);
  expect(found.nearMisses.length).toBeGreaterThan(2);
  expect(found.nearMisses.filter(covers)).toEqual([]);
});

test('proposes nothing for 2 approvals or for calls answered by a grant', async () => {
  expect(learn(await history([yes('npm test'), yes('npm test')]))).toEqual([]);
  const by = (said: 'grant') => ({ command: 'npm test', said });
  expect(learn(await history([yes('npm test'), by('grant'), by('grant')]))).toEqual([]);
});

test('proposes nothing that was denied once', async () => {
  const said = [
    yes('npm test'),
    yes('npm test'),
    yes('npm test'),
    { command: 'npm test', said: 'deny' as const },
  ];
  expect(learn(await history(said))).toEqual([]);
});

test('proposes nothing that is unknown before it runs', async () => {
  expect(learn(await history([yes('rm $X'), yes('rm $X'), yes('rm $X')]))).toEqual([]);
});

test('proposes scope always for calls in several projects', async () => {
  const calls = await history(['/a', '/b', '/c'].map((cwd) => yes('npm test', { cwd })));
  expect(learn(calls)).toMatchObject([{ times: 3, grant: { scope: 'always', cwd: null } }]);
});

test("doesn't propose an existing grant again", async () => {
  const calls = await history([yes('npm test'), yes('npm test'), yes('npm test')]);
  const [found] = learn(calls);
  if (!found) throw new Error('nothing was proposed');
  expect(learn(calls, [found.grant])).toEqual([]);
});

test("counts an approval in the agent's own dialog if a rule asked and the call ran", async () => {
  const calls = await history([{ command: 'npm test' }, { command: 'npm test' }, { command: 'npm test' }]);
  expect(learn(calls)).toEqual([]);
  const ran = calls.map(
    (call): RecordedCall => ({ ...call, type: 'after_tool', outcome: 'ok', opinions: [] }),
  );
  expect(learn([...calls, ...ran])).toMatchObject([{ times: 3 }]);
});
