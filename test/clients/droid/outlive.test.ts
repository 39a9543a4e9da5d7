import droid from '../../../src/agents/droid/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(droid);
