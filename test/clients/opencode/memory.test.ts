import opencode from '../../../src/agents/opencode/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(opencode);
