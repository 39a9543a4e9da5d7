import { tellsTheSame } from '../scenarios/observations.ts';
import { opencode } from './client.ts';

tellsTheSame(opencode, {
  asksAboutCommands: true,
  read: (filePath) => ({ tool: 'read', input: { filePath } }),
  edit: (filePath, oldString, newString) => ({ tool: 'edit', input: { filePath, oldString, newString } }),
});
