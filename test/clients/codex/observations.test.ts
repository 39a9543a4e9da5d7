import codex from '../../../src/agents/codex/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(codex, {
  missing: { read: 'The client has no tool to read a file: its model runs commands.' },
  instead: {
    read: {
      kind: 'command',
      exitCodeHidden: false,
      command: 'cat sum.js',
      purpose: 'other',
      exitCode: 0,
      outcome: 'ok',
      failing: [],
    },
  },
});
