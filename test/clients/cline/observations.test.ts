import cline from '../../../src/agents/cline/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(cline, {
  read: (path) => ({ tool: 'read_files', input: { files: [{ path }] } }),
  edit: (path, from, to) => ({ tool: 'editor', input: { path, old_text: from, new_text: to } }),
  missing: { end: '3.0.65 tells plugins nothing of the end of a session' },
});
