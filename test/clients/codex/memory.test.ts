import codex from '../../../src/agents/codex/client.ts';
import { remembers } from '../scenarios/memory.ts';

remembers(codex);
