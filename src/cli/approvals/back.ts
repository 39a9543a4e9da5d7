import { defineCommand, flag } from '../command.ts';
import { endAway } from './end-away.ts';

export default defineCommand({
  name: 'back',
  summary: 'Say that you are back: ends away mode and shows what happened meanwhile.',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline back', 'calls, what was denied, who answered what from where, what expired'],
    ['hookline back --json | jq .summary.answered', 'only the answers, for a script'],
  ],
  asScript: true,
  access: () => 'away',
  run: ({ json }) => endAway(json === true),
});
