import opencode from '../../../src/agents/opencode/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(opencode, {
  asksAboutCommands: true,
  read: (filePath) => ({ tool: 'read', input: { filePath } }),
  edit: (filePath, oldString, newString) => ({ tool: 'edit', input: { filePath, oldString, newString } }),
});
