import { outlives } from '../scenarios/outlive.ts';
import { pi } from './client.ts';

outlives(pi);
