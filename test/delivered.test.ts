import { expect, test } from 'vitest';
import { deliveredDecision } from '../src/model/delivered.ts';
import { CALLS_AHEAD } from '../src/model/events.ts';
import type { NativeAnswer } from '../src/model/native.ts';
import { allow, ask, type Degradation, deny, none, rewrite } from '../src/model/responses.ts';
import { fixtureCases } from './fixture-cases.ts';

/** How any of the clients learns that a call may not happen. */
function refuses(answer: NativeAnswer): boolean {
  return (
    answer.action === 'block_with_stderr' ||
    /"(?:permissionDecision|permission|decision|behavior|action|answer)":"(?:deny|block|decline|cancel|reject)"|"refuse":/.test(
      JSON.stringify(answer),
    )
  );
}

/** With the turn the call ends, too, unless the client runs it first: then the halt is not delivered as asked. */
function endsTurn(answer: NativeAnswer, degraded: readonly Degradation[]): boolean {
  return (
    /"continue":false|"abort":/.test(JSON.stringify(answer)) &&
    !degraded.some(({ effect }) => effect === 'halt')
  );
}

const cases = fixtureCases().filter(({ event }) => CALLS_AHEAD.has(event.type));

const decisions = [none(), allow('Fine.'), deny('No.'), ask('Sure?'), rewrite({ command: 'echo safe' })];

test.each([...decisions, ...decisions.map((one) => ({ ...one, halt: 'That is enough.' }))])(
  'what counts as a denial was sent as one, for every fixture: $decision, halt: $halt',
  (response) => {
    expect(cases.length).toBeGreaterThan(40);
    for (const { name, agent, event } of cases) {
      for (const env of [{}, { HOOKLINE_ATTENDED: '1' }]) {
        const { answer, degraded } = agent.encode(event, response, env);
        const delivered = deliveredDecision(event.type, response, degraded);
        expect(delivered === 'deny', `${name}: ${delivered}, ${JSON.stringify(answer)}`).toBe(
          refuses(answer) || endsTurn(answer, degraded),
        );
      }
    }
  },
);
