import opencode from '../../../src/agents/opencode/client.ts';
import { decides } from '../scenarios/decide.ts';

decides(opencode);
