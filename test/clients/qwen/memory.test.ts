import qwen from '../../../src/agents/qwen/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(qwen);
