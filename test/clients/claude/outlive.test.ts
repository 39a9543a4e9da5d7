import claude from '../../../src/agents/claude/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(claude);
