import { outlives } from '../scenarios/outlive.ts';
import { gemini } from './client.ts';

outlives(gemini);
