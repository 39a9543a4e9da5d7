import cline from '../../../src/agents/cline/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(cline);
