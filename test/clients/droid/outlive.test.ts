import { outlives } from '../scenarios/outlive.ts';
import { droid } from './client.ts';

outlives(droid);
