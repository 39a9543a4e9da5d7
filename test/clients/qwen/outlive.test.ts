import { outlives } from '../scenarios/outlive.ts';
import { qwen } from './client.ts';

outlives(qwen);
