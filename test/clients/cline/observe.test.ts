import { observes } from '../scenarios/observe.ts';
import { cline } from './client.ts';

observes(cline);
