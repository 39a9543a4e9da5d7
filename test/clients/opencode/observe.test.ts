import { observes } from '../scenarios/observe.ts';
import { opencode } from './client.ts';

observes(opencode);
