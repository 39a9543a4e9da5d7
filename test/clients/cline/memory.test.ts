import cline from '../../../src/agents/cline/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(cline);
