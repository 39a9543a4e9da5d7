import qwen from '../../../src/agents/qwen/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(qwen, {
  absolute: true,
  read: (path) => ({ tool: 'read_file', input: { file_path: path } }),
  edit: (path, from, to) => ({ tool: 'edit', input: { file_path: path, old_string: from, new_string: to } }),
  missing: { end: '0.24.4 sends no end of a session with -p' },
});
