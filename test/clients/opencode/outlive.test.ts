import opencode from '../../../src/agents/opencode/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(opencode);
