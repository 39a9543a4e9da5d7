import gemini from '../../../src/agents/gemini/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(gemini);
