import pi from '../../../src/agents/pi/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(pi, {
  read: (path) => ({ tool: 'read', input: { path } }),
  edit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
});
