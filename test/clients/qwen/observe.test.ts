import qwen from '../../../src/agents/qwen/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(qwen);
