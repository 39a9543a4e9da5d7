import { observes } from '../scenarios/observe.ts';
import { droid } from './client.ts';

observes(droid);
