import gemini from '../../../src/agents/gemini/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(gemini);
