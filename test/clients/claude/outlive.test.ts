import { outlives } from '../scenarios/outlive.ts';
import { claude } from './client.ts';

outlives(claude);
