import codex from '../../../src/agents/codex/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(codex);
