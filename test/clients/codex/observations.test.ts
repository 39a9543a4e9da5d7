import codex from '../../../src/agents/codex/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(codex, {
  read: (path) => ({ tool: 'exec_command', input: { cmd: `cat ${path}` } }),
  edit: (path, from, to) => ({
    tool: 'apply_patch',
    input: {
      patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-  ${from}\n+  ${to}\n*** End Patch`,
    },
  }),
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
