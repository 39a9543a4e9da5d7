import type { BlindSpot } from '../agent.ts';

/** What Codex does without asking hooks. */
export const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Bash'],
    all: false,
    note: '0.166.0: what the model types into a process that already runs (write_stdin) fires no hook.',
  },
  {
    tools: ['WebSearch'],
    all: true,
    note: '0.166.0: web_search runs at the provider and fires no hook.',
  },
];
