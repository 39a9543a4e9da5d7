import { tellsTheSame } from '../scenarios/observations.ts';
import { pi } from './client.ts';

tellsTheSame(pi, {
  read: (path) => ({ tool: 'read', input: { path } }),
  edit: (path, from, to) => ({ tool: 'edit', input: { path, edits: [{ oldText: from, newText: to }] } }),
});
