import qwen from '../../../src/agents/qwen/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(qwen);
