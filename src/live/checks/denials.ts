import type { Check, PlayedTurn } from '../check.ts';
import { expectThat } from '../expect.ts';

const DENIED = 'touch forbidden.txt';
const DENIAL = 'Files are made by hand here.';

export const deny: Check = {
  name: 'deny',
  promise: 'a denied command does not run, and the model reads why',
  applies: () => true,
  rules: [{ id: 'no-touch', command: DENIED, deny: DENIAL }],
  trustShell: true,
  calls: (client) => [[client.shell(DENIED)]],
  judge(turn) {
    const { before, after, has, results } = turn;
    const answered = before(DENIED)?.response;
    return [
      ...expectThat(!has('forbidden.txt'), 'the command does not run', 'it ran'),
      ...expectOneResult(results(1), DENIAL),
      ...expectThat(
        answered?.decision === 'deny' && answered.reason?.includes(DENIAL) === true,
        'the history records the denial',
        JSON.stringify(answered ?? 'no call came'),
      ),
      ...expectThat(
        before(DENIED)?.rules.some((id) => id.includes('no-touch')) === true,
        'the history names the rule',
        JSON.stringify(before(DENIED)?.rules ?? 'no call came'),
      ),
      ...expectThat(after(DENIED) === undefined, 'no event says that it ran', 'one does'),
    ];
  },
};

const ASKED = 'touch unasked.txt';
const QUESTION = 'A person has to look at this.';

export const ask: Check = {
  name: 'ask',
  promise: 'a command that needs approval does not run if no one can answer',
  applies: () => true,
  rules: [{ command: ASKED, ask: QUESTION }],
  trustShell: true,
  calls: (client) => [[client.shell(ASKED)]],
  judge: ({ client, has, told, results }) => [
    ...expectThat(!has('unasked.txt'), 'the command does not run', 'it ran'),
    ...(client.asksItself
      ? expectThat(told(1).includes(QUESTION), `the model reads "${QUESTION}"`, told(1))
      : expectOneResult(results(1), QUESTION)),
  ],
};

/** A single call whose result the model reads. */
export function expectOneResult(results: ReturnType<PlayedTurn['results']>, part: string) {
  const [only = ''] = results;
  return expectThat(
    results.length === 1 && only.includes(part),
    `the result of the call that the model reads has "${part}"`,
    results.join(' | '),
  );
}
