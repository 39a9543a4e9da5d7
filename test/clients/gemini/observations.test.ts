import gemini from '../../../src/agents/gemini/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(gemini, {
  read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
  edit: (path, from, to) => ({
    tool: 'replace',
    input: { file_path: path, old_string: from, new_string: to, instruction: 'Add instead.' },
  }),
});
