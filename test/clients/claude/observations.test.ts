import claude from '../../../src/agents/claude/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(claude, {
  read: (path) => ({ tool: 'Read', input: { file_path: path } }),
  edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
});
