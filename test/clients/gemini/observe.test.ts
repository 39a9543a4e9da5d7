import gemini from '../../../src/agents/gemini/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(gemini);
