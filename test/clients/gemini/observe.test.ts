import { observes } from '../scenarios/observe.ts';
import { gemini } from './client.ts';

observes(gemini);
