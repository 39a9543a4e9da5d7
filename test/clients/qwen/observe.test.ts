import { observes } from '../scenarios/observe.ts';
import { qwen } from './client.ts';

observes(qwen);
