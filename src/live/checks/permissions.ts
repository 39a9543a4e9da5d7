import type { Agent } from '../../agents/agent.ts';
import type { Check } from '../check.ts';
import { expectThat } from '../expect.ts';

// Not every client lets a hook allow a call, and such a client may not even offer a tool that would need it.
const permits = ({ supports }: Agent) => supports.before_tool?.allow?.level === 'native';

const ALLOWED = 'touch allowed.txt';

export const allow: Check = {
  name: 'allow',
  promise: 'an allowed command runs without the permission it would need',
  applies: permits,
  rules: [{ command: ALLOWED, allow: true }],
  trustShell: false,
  calls: (client) => [[client.shell(ALLOWED)]],
  judge: ({ has, results }) =>
    expectThat(has('allowed.txt'), 'the command runs', `it did not: ${results(1).join(' | ')}`),
};

const UNJUDGED = 'touch unpermitted.txt';

export const noOpinion: Check = {
  name: 'no decision',
  promise: "without a decision, the agent's own permissions apply",
  applies: permits,
  rules: [{ command: 'mkdir', allow: true }],
  trustShell: false,
  calls: (client) => [[client.shell(UNJUDGED)]],
  judge: ({ has, before }) => [
    ...expectThat(!has('unpermitted.txt'), 'the command does not run without a permission', 'it ran'),
    ...expectThat(
      before(UNJUDGED)?.response.decision === 'none',
      'Hookline gets the call and makes no decision',
      before(UNJUDGED)?.response.decision ?? 'no call came',
    ),
  ],
};
