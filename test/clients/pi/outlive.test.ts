import pi from '../../../src/agents/pi/client.ts';
import { outlives } from '../scenarios/outlive.ts';

outlives(pi);
