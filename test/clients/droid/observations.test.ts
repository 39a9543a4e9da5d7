import droid from '../../../src/agents/droid/client.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(droid);
