import opencode from '../../../src/agents/opencode/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(opencode, {
  asksAboutCommands: true,
});
