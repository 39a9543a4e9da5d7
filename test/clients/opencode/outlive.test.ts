import { outlives } from '../scenarios/outlive.ts';
import { opencode } from './client.ts';

outlives(opencode);
