import type { BlindSpot } from '../agent.ts';

/** What Gemini CLI does without asking hooks. */
export const blindSpots: readonly BlindSpot[] = [
  {
    tools: null,
    all: false,
    note: '0.61.0: in --acp sessions (editors) no tool call fires a hook.',
  },
  {
    tools: ['Read'],
    all: false,
    note: '0.61.0: a file that a prompt names with @ is read without a hook.',
  },
  {
    tools: ['Bash'],
    all: false,
    note: '0.61.0: a command that the person types after ! runs without a hook.',
  },
];
