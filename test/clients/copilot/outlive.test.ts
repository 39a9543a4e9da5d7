import { outlives } from '../scenarios/outlive.ts';
import { copilot } from './client.ts';

outlives(copilot);
