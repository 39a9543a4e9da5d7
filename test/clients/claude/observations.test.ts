import { tellsTheSame } from '../scenarios/observations.ts';
import { claude } from './client.ts';

tellsTheSame(claude, {
  read: (path) => ({ tool: 'Read', input: { file_path: path } }),
  edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_string: from, new_string: to } }),
});
