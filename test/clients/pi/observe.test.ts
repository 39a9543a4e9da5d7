import { observes } from '../scenarios/observe.ts';
import { pi } from './client.ts';

observes(pi);
