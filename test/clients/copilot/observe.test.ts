import { observes } from '../scenarios/observe.ts';
import { copilot } from './client.ts';

observes(copilot);
