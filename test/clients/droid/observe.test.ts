import droid from '../../../src/agents/droid/client.ts';
import { observes } from '../scenarios/observe.ts';

observes(droid);
