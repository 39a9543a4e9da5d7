import gemini from '../../../src/agents/gemini/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(gemini);
