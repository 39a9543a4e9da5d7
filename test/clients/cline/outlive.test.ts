import { outlives } from '../scenarios/outlive.ts';
import { cline } from './client.ts';

outlives(cline);
