import type { Agent } from '../../agents/agent.ts';
import type { Check } from '../check.ts';
import { expectThat } from '../expect.ts';
import { expectOneResult } from './denials.ts';

const rewrites = ({ supports }: Agent) => supports.before_tool?.rewrite?.level === 'native';

const ORIGINAL = 'touch original.txt';
const REWRITTEN = 'echo rewritten > written.txt';
const rules = [{ command: ORIGINAL, rewrite: { command: REWRITTEN } }];
const TEXT = 'rewritten\n';

const expectOnlyRewritten = ({ has, text }: Parameters<Check['judge']>[0]) => [
  ...expectThat(!has('original.txt'), 'the command that the model wanted does not run', 'it ran'),
  ...expectThat(text('written.txt') === TEXT, 'the rewritten command runs', 'it did not'),
];

export const rewrite: Check = {
  name: 'rewrite',
  promise: 'a rewritten command runs in place of the one that the model wanted',
  applies: rewrites,
  rules,
  trustShell: true,
  calls: (client) => [[client.shell(ORIGINAL)]],
  judge(turn) {
    const after = turn.after(REWRITTEN);
    const outcome = turn.client.tellsOutcome === false ? 'unknown' : 'ok';
    return [
      ...expectOnlyRewritten(turn),
      ...expectThat(
        after?.tool?.outcome === outcome,
        `the agent reports the rewritten command as ${outcome}`,
        after === undefined ? 'it did not report it' : `it reports it as ${after.tool?.outcome}`,
      ),
    ];
  },
};

export const rewriteRefused: Check = {
  name: 'rewrite',
  promise: 'a command that has to be rewritten does not run, and the model reads what to run instead',
  applies: (agent) => !rewrites(agent),
  rules,
  trustShell: true,
  calls: (client) => [[client.shell(ORIGINAL)], [client.shell(REWRITTEN)]],
  judge: (turn) => [...expectOneResult(turn.results(1), REWRITTEN), ...expectOnlyRewritten(turn)],
};
