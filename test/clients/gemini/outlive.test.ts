import gemini from '../../../src/agents/gemini/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(gemini);
