import claude from '../../../src/agents/claude/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(claude);
