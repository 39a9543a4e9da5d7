import { AGENTS } from '../../agents/_registry.ts';
import { supportOf } from '../../agents/agent.ts';
import type { EventType } from '../../model/events.ts';
import { describeFinished } from '../../sandbox/process.ts';
import type { Check, PlayedTurn } from '../check.ts';
import { expectThat, expectTold } from '../expect.ts';

const AT_START = 'The house has a green door.';
const AT_PROMPT = 'The dog is called Ada.';
const AT_CALL = 'Echoes are counted here.';

/** If an event can't carry context, it comes with the first call. */
function toldAt({ client }: PlayedTurn, type: EventType): number {
  const agent = AGENTS.get(client.id);
  return agent && supportOf(agent, type, 'context').level === 'none' ? 1 : 0;
}

export const context: Check = {
  name: 'context',
  promise: 'the model reads the context that rules add to the session, the prompt and a call',
  applies: () => true,
  rules: [
    { on: 'session_start', context: AT_START },
    { on: 'turn_start', context: AT_PROMPT },
    { on: 'before_tool', command: 'echo hello', context: AT_CALL },
  ],
  trustShell: true,
  calls: (client) => [[client.shell('echo hello')]],
  judge: (turn) => [
    ...expectTold(turn.told(toldAt(turn, 'session_start')), AT_START),
    ...expectTold(turn.told(toldAt(turn, 'before_agent')), AT_PROMPT),
    ...expectThat(
      !turn.told(0).includes(AT_CALL),
      'the context of a call comes with that call',
      'it came before',
    ),
    ...expectTold(turn.told(1), AT_CALL),
  ],
};

const FAILING = 'exit 3';

export const failedCommand: Check = {
  name: 'a failed command',
  promise: 'the agent reports how a command ended',
  applies: (_, client) => client.tellsFailure !== false,
  rules: [],
  trustShell: true,
  calls: (client) => [[client.shell(FAILING)]],
  judge({ client, after }) {
    const expected = client.tellsOutcome === false ? 'unknown' : 'failed';
    const outcome = after(FAILING)?.tool?.outcome;
    return expectThat(
      outcome === expected,
      `a command that fails is reported as ${expected}`,
      outcome ? `it is reported as ${outcome}` : 'it is not reported',
    );
  },
};

const BLOCKED = 'No work on Sundays.';

export const promptBlock: Check = {
  name: 'block a prompt',
  promise: 'a denied prompt never reaches the model',
  applies: () => true,
  rules: [{ on: 'turn_start', deny: BLOCKED }],
  prompt: 'Work.',
  trustShell: false,
  calls: () => [],
  ending: [],
  judge({ client, finished, modelCalls, events }) {
    const answered = events.find(({ type }) => type === 'before_agent')?.response;
    const shown = finished.stdout + finished.stderr;
    return [
      ...expectThat(modelCalls === 0, 'the model is not asked', `it was asked ${modelCalls} times`),
      ...expectThat(
        client.tellsWhy === false || shown.includes(BLOCKED),
        `the user reads "${BLOCKED}"`,
        describeFinished(finished),
      ),
      ...expectThat(
        answered?.decision === 'deny' && answered.reason?.includes(BLOCKED) === true,
        'the history records the denial',
        JSON.stringify(answered ?? 'no prompt came'),
      ),
    ];
  },
};

const UNFINISHED = 'The tests have not run yet.';
const GATED_END = ['I am done.', 'Now I really am.'];

export const turnGate: Check = {
  name: 'gate the end',
  promise: 'a denied turn end continues the turn once, and the model reads why',
  applies: ({ supports }) =>
    [supports.stop, supports.after_agent].some((end) => end?.deny?.level === 'native'),
  rules: [{ on: 'turn_end', deny: UNFINISHED }],
  trustShell: true,
  calls: () => [],
  ending: GATED_END,
  judge(turn) {
    const stops = turn.events.filter(({ type }) => ['stop', 'after_agent'].includes(type));
    const decisions = stops.map(({ response }) => response.decision).join(', ');
    return [
      ...expectThat(
        turn.finished.stdout.includes(GATED_END[1] ?? ''),
        'the model is asked to go on',
        describeFinished(turn.finished),
      ),
      ...expectThat(!turn.told(0).includes(UNFINISHED), 'the gate is silent before the end', 'it was not'),
      ...expectTold(turn.told(1), UNFINISHED),
      ...expectThat(decisions === 'deny, none', 'the end is denied once, and then not', decisions),
    ];
  },
};
