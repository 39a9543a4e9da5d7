import { defineCommand, flag } from '../command.ts';
import { endAway } from './end-away.ts';

export default defineCommand({
  name: 'back',
  summary: 'Turn off away mode and show what happened.',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline back', 'shows calls, denials, answers and expired approvals'],
    ['hookline back --json | jq .summary.answered', 'answers only, for scripts'],
  ],
  asScript: true,
  access: () => 'away',
  run: ({ json }) => endAway(json === true),
});
