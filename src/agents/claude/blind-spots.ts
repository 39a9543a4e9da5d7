import type { BlindSpot } from '../agent.ts';

/** What Claude Code does without asking hooks. */
export const blindSpots: readonly BlindSpot[] = [
  {
    tools: ['Read'],
    all: false,
    note: 'Reported by users, not measured: a file that a prompt names with @ is read without a hook.',
  },
];
