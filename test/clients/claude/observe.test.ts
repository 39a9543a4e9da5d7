import { observes } from '../scenarios/observe.ts';
import { claude } from './client.ts';

observes(claude);
