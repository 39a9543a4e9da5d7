import { tellsTheSame } from '../scenarios/observations.ts';
import { gemini } from './client.ts';

tellsTheSame(gemini, {
  read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
  edit: (path, from, to) => ({
    tool: 'replace',
    input: { file_path: path, old_string: from, new_string: to, instruction: 'Add instead.' },
  }),
});
