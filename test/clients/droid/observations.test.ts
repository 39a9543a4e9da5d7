import droid from '../../../src/agents/droid/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(droid, {
  absolute: true,
  read: (path) => ({ tool: 'Read', input: { file_path: path } }),
  edit: (path, from, to) => ({ tool: 'Edit', input: { file_path: path, old_str: from, new_str: to } }),
});
