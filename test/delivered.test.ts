import { expect, test } from 'vitest';
import { deliveredDecision } from '../src/model/delivered.ts';
import { CALLS_AHEAD } from '../src/model/events.ts';
import type { NativeAnswer } from '../src/model/native.ts';
import { allow, ask, deny, none, rewrite } from '../src/model/responses.ts';
import { fixtureCases } from './fixture-cases.ts';

/** How any of the clients learns that a call may not happen. */
function refuses(answer: NativeAnswer): boolean {
  return (
    answer.action === 'block_with_stderr' ||
    /"(?:permissionDecision|decision|behavior|action)":"(?:deny|block|decline|cancel)"/.test(
      JSON.stringify(answer),
    )
  );
}

const cases = fixtureCases().filter(({ event }) => CALLS_AHEAD.has(event.type));

test.each([none(), allow('Fine.'), deny('No.'), ask('Sure?'), rewrite({ command: 'echo safe' })])(
  'what is taken for a denial was sent as one, of every fixture: $decision',
  (response) => {
    expect(cases.length).toBeGreaterThan(40);
    for (const { name, agent, event } of cases) {
      for (const env of [{}, { HOOKLINE_ATTENDED: '1' }]) {
        const { answer, degraded } = agent.encode(event, response, env);
        const delivered = deliveredDecision(event.type, response, degraded);
        expect(delivered === 'deny', `${name}: ${delivered}, ${JSON.stringify(answer)}`).toBe(
          refuses(answer),
        );
      }
    }
  },
);
